import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ConstantCaseLabelTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ErroneousTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.InstanceOfTree;
import com.sun.source.tree.IntersectionTypeTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WildcardTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The judge of Java: does a text parse, as javac's own parser reads it? One line is answered for each text.
 *
 * A text comes as its length in bytes, a line break, and the bytes. The answer is an empty line, or the first fault
 * as LINE, a tab, the fault's key and what is wrong. Nothing behind the parser is run: no types, no names.
 */
class Judge {
    private static final String WRONG_NAME = "compiler.err.invalid.meth.decl.ret.type.req";
    private static final String TARGET = "0\tnot in the specification's grammar";
    // What the parser forgets: annotations in front of nothing that has any, and digits of other scripts in escapes.
    private static final Pattern ANNOTATION = Pattern.compile(
        "(?s)\"\"\"(?:[^\\\\]|\\\\.)*?\"\"\"|\"(?:[^\"\\\\\r\n]|\\\\.)*+\"|'(?:[^'\\\\\r\n]|\\\\.)*+'|//[^\r\n]*|/\\*.*?\\*/"
            + "|@(?<declares>(?:\\s|//[^\r\n]*|/\\*.*?\\*/)*+interface\\b)?+(?<end>)");
    private static final Pattern OTHER_DIGITS =
        Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u+[0-9a-fA-F]{0,3}(?![0-9a-fA-F])\\p{Nd}");
    private static final Set<String> NO_NAMES = Set.of("class", "this", "super");
    private static final Set<String> NO_CLASSES = Set.of("permits", "record", "sealed", "var", "yield");
    private static final Set<Tree.Kind> INCREMENTS =
        Set.of(Tree.Kind.PREFIX_INCREMENT, Tree.Kind.PREFIX_DECREMENT, Tree.Kind.POSTFIX_INCREMENT, Tree.Kind.POSTFIX_DECREMENT);
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] arguments) throws IOException {
        DataInputStream input = new DataInputStream(new java.io.BufferedInputStream(System.in));
        PrintStream output = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
        StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        for (int length = length(input); length >= 0; length = length(input)) {
            byte[] text = new byte[length];
            input.readFully(text);
            output.print(fault(files, new String(text, StandardCharsets.UTF_8)) + "\n");
            output.flush();
        }
    }

    private static int length(DataInputStream input) throws IOException {
        int length = 0;
        for (int read = input.read(); read != '\n'; read = input.read()) {
            if (read < 0) {
                return -1;
            }
            length = 10 * length + read - '0';
        }
        return length;
    }

    private static String fault(StandardJavaFileManager files, String text) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-Xlint:none");
        List<Text> texts = List.of(new Text(text));
        JavacTask task = (JavacTask) COMPILER.getTask(null, files, found, options, null, texts);
        Specification specification = new Specification(Trees.instance(task).getSourcePositions());
        specification.isWrong = OTHER_DIGITS.matcher(text).find();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                specification.scan(unit, null);
                specification.isWrong |= !specification.annotations.containsAll(annotations(text));
            }
        } catch (RuntimeException | StackOverflowError error) {
            return "0\tbeyond " + error.getClass().getSimpleName();
        }
        // A constructor of another name is the one fault that no grammar sees, so any other one is told first.
        String wrongName = "";
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            if (one.getKind() != Diagnostic.Kind.ERROR) {
                continue;
            }
            String message = one.getMessage(java.util.Locale.ENGLISH).replace('\n', ' ').replace('\r', ' ');
            String line = one.getLineNumber() + "\t" + one.getCode() + " " + message;
            if (!one.getCode().equals(WRONG_NAME)) {
                return line;
            }
            wrongName = line;
        }
        return wrongName.isEmpty() && specification.isWrong ? TARGET : wrongName;
    }

    /** Where annotations begin. */
    private static Set<Long> annotations(String text) {
        return ANNOTATION.matcher(text).results()
            .filter(found -> found.group("end") != null && found.group("declares") == null)
            .map(found -> (long) found.start())
            .collect(Collectors.toSet());
    }

    /**
     * What the specification's grammar says, and javac's parser leaves to the checker: targets of assignments are
     * variables, names of variables are simple, `var` is no class and in no array, nor what else no class is called, interfaces of annotations extend nothing, classes
     * are neither arrays nor numbers, local ones and variables are not sealed, components of records have no brackets behind
     * their names, what has several values in an annotation names them,
     * constructors have bodies and call others in statements alone if these have type arguments, old and new cases do not mix,
     * annotations are of types, and neither lambdas nor `instanceof` nor references with annotations are operands of what binds
     * tighter.
     */
    private static final class Specification extends TreeScanner<Void, Void> {
        private final SourcePositions positions;
        private boolean isWrong;
        private boolean isInAnnotation;
        private CompilationUnitTree unit;
        private final Set<Long> annotations = new HashSet<>();
        // What a method is referred to of, which the specification lets be called anything.
        private Tree referred;
        // What the last statement is that is an expression.
        private Tree statement;

        Specification(SourcePositions positions) {
            this.positions = positions;
        }

        @Override
        public Void visitCompilationUnit(CompilationUnitTree node, Void nothing) {
            unit = node;
            return super.visitCompilationUnit(node, nothing);
        }

        private void take(Tree target) {
            Tree inner = target;
            while (inner instanceof ParenthesizedTree parenthesized) {
                inner = parenthesized.getExpression();
            }
            isWrong |= !(inner instanceof IdentifierTree name && !isKeyword(name) || inner instanceof MemberSelectTree || inner instanceof ArrayAccessTree);
        }

        private static boolean isName(Tree tree) {
            return tree instanceof MemberSelectTree select && isName(select.getExpression()) && !NO_NAMES.contains(select.getIdentifier().toString())
                || tree instanceof IdentifierTree name && !isKeyword(name);
        }

        private static boolean isKeyword(IdentifierTree name) {
            return name.getName().contentEquals("this") || name.getName().contentEquals("super");
        }

        @Override
        public Void visitAssignment(AssignmentTree node, Void nothing) {
            take(node.getVariable());
            return super.visitAssignment(node, nothing);
        }

        @Override
        public Void visitCompoundAssignment(CompoundAssignmentTree node, Void nothing) {
            take(node.getVariable());
            return super.visitCompoundAssignment(node, nothing);
        }

        @Override
        public Void visitVariable(VariableTree node, Void nothing) {
            // The parser takes any qualified name where `Outer.this` may stand.
            isWrong |= isNoType(node.getType()) || isVoid(node.getType()) || node.getName().contentEquals("<error>");
            isWrong |= isArrayOfVar(node.getType());
            isWrong |= node.getNameExpression() instanceof MemberSelectTree name && !name.getIdentifier().contentEquals("this");
            return super.visitVariable(node, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void nothing) {
            isWrong |= isVar(node.getIdentifier()) || isNoOperand(node.getEnclosingExpression());
            areReferences(node.getTypeArguments());
            return super.visitNewClass(node, nothing);
        }

        private static boolean isVar(Tree type) {
            Tree inner = type instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : type;
            return inner instanceof IdentifierTree name && name.getName().contentEquals("var");
        }

        private static boolean isArrayOfVar(Tree type) {
            Tree inner = type instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : type;
            return inner instanceof ArrayTypeTree array && (isVar(array.getType()) || isArrayOfVar(array.getType()));
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
            boolean isAnnotation = node.getKind() == Tree.Kind.ANNOTATION_TYPE;
            isWrong |= isAnnotation && !(node.getTypeParameters().isEmpty() && node.getImplementsClause().isEmpty());
            isWrong |= !isClass(node.getExtendsClause()) || !areClasses(node.getImplementsClause());
            isWrong |= !areClasses(node.getPermitsClause());
            isWrong |= node.getKind() == Tree.Kind.RECORD && node.getMembers().stream().anyMatch(this::isOldComponent);
            boolean isAround = isInAnnotation;
            isInAnnotation = isAnnotation;
            super.visitClass(node, nothing);
            isInAnnotation = isAround;
            return null;
        }

        /** Whether this is a component of a record with brackets behind its name: there the type ends where all of it does. */
        private boolean isOldComponent(Tree member) {
            return member instanceof VariableTree variable && !variable.getModifiers().getFlags().contains(Modifier.STATIC)
                && positions.getEndPosition(unit, variable.getType()) >= positions.getEndPosition(unit, variable);
        }

        /** Whether a type may be a class; none at all may. */
        private static boolean isClass(Tree type) {
            Tree inner = type instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : type;
            return !(inner instanceof PrimitiveTypeTree || inner instanceof ArrayTypeTree || isNoType(inner));
        }

        /** Whether this is a switch or a lambda, which the parser takes where it wants a type. */
        private static boolean isNoType(Tree type) {
            return type instanceof SwitchExpressionTree || type instanceof LambdaExpressionTree;
        }

        private static boolean isVoid(Tree type) {
            return type instanceof PrimitiveTypeTree primitive && primitive.getPrimitiveTypeKind() == TypeKind.VOID;
        }

        private static boolean areClasses(List<? extends Tree> types) {
            return types.stream().allMatch(Specification::isClass);
        }

        private void areReferences(List<? extends Tree> types) {
            for (Tree type : types == null ? List.<Tree>of() : types) {
                Tree inner = type instanceof WildcardTree wildcard ? wildcard.getBound() : type;
                inner = inner instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : inner;
                isWrong |= inner instanceof PrimitiveTypeTree || isNoType(inner);
            }
        }

        @Override
        public Void visitParameterizedType(ParameterizedTypeTree node, Void nothing) {
            areReferences(node.getTypeArguments());
            isWrong |= !isClass(node.getType());
            return super.visitParameterizedType(node, nothing);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
            areReferences(node.getTypeArguments());
            isWrong |= isArguedConstructor(node) && node != statement;
            return super.visitMethodInvocation(node, nothing);
        }

        private static boolean isArguedConstructor(MethodInvocationTree call) {
            return !call.getTypeArguments().isEmpty() && call.getMethodSelect() instanceof IdentifierTree name && isKeyword(name);
        }

        @Override
        public Void visitExpressionStatement(ExpressionStatementTree node, Void nothing) {
            statement = node.getExpression();
            isWrong |= isAnnotated(statement);
            return super.visitExpressionStatement(node, nothing);
        }

        /** Whether an expression begins with a name that is annotated, which the parser takes for one of a type. */
        private static boolean isAnnotated(Tree expression) {
            return switch (expression) {
                case AnnotatedTypeTree annotated -> annotated.getUnderlyingType() instanceof MemberSelectTree || isAnnotated(annotated.getUnderlyingType());
                case ArrayAccessTree access -> isAnnotated(access.getExpression());
                case ArrayTypeTree array -> isAnnotated(array.getType());
                case AssignmentTree assignment -> isAnnotated(assignment.getVariable());
                case CompoundAssignmentTree assignment -> isAnnotated(assignment.getVariable());
                case MemberReferenceTree reference -> isAnnotated(reference.getQualifierExpression());
                case MemberSelectTree select -> isAnnotated(select.getExpression());
                case MethodInvocationTree call -> isAnnotated(call.getMethodSelect());
                case NewClassTree created -> created.getEnclosingExpression() != null && isAnnotated(created.getEnclosingExpression());
                case ParameterizedTypeTree type -> isAnnotated(type.getType());
                case UnaryTree unary -> isAnnotated(unary.getExpression());
                default -> false;
            };
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
            areReferences(node.getTypeArguments());
            isWrong |= isNoOperand(node.getQualifierExpression());
            referred = element(node.getQualifierExpression());
            return super.visitMemberReference(node, nothing);
        }

        @Override
        public Void visitAnnotatedType(AnnotatedTypeTree node, Void nothing) {
            Tree element = element(node);
            isWrong |= node.getUnderlyingType() instanceof ArrayTypeTree && element != referred
                && element instanceof IdentifierTree name && NO_CLASSES.contains(name.getName().toString());
            return super.visitAnnotatedType(node, nothing);
        }

        /** What an array is of, in the end. */
        private static Tree element(Tree type) {
            return switch (type) {
                case AnnotatedTypeTree annotated -> element(annotated.getUnderlyingType());
                case ArrayTypeTree array -> element(array.getType());
                default -> type;
            };
        }

        @Override
        public Void visitTypeParameter(TypeParameterTree node, Void nothing) {
            isWrong |= !areClasses(node.getBounds());
            return super.visitTypeParameter(node, nothing);
        }

        @Override
        public Void visitIntersectionType(IntersectionTypeTree node, Void nothing) {
            List<? extends Tree> bounds = node.getBounds();
            isWrong |= bounds.get(0) instanceof PrimitiveTypeTree || !areClasses(bounds.subList(1, bounds.size()));
            return super.visitIntersectionType(node, nothing);
        }

        @Override
        public Void visitCatch(CatchTree node, Void nothing) {
            isWrong |= !isClass(node.getParameter().getType());
            return super.visitCatch(node, nothing);
        }

        @Override
        public Void visitTry(TryTree node, Void nothing) {
            for (Tree resource : node.getResources()) {
                isWrong |= resource instanceof MemberSelectTree select && NO_NAMES.contains(select.getIdentifier().toString());
            }
            return super.visitTry(node, nothing);
        }

        @Override
        public Void visitMethod(MethodTree node, Void nothing) {
            isWrong |= node.getName().contentEquals("<init>") && node.getBody() == null;
            isWrong |= isNoType(node.getReturnType());
            isWrong |= node.getDefaultValue() != null && !isElement(node);
            return super.visitMethod(node, nothing);
        }

        /** Whether a method may be what an annotation has a value for. */
        private boolean isElement(MethodTree node) {
            boolean isPlain = node.getParameters().isEmpty() && node.getTypeParameters().isEmpty() && node.getThrows().isEmpty();
            return isInAnnotation && isPlain && !isVoid(node.getReturnType()) && node.getReceiverParameter() == null;
        }

        private void take(List<? extends Tree> statements) {
            for (Tree statement : statements == null ? List.<Tree>of() : statements) {
                isWrong |= statement instanceof ClassTree local && isSealing(local.getModifiers());
            }
        }

        private static boolean isSealing(ModifiersTree modifiers) {
            return modifiers.getFlags().contains(Modifier.SEALED) || modifiers.getFlags().contains(Modifier.NON_SEALED);
        }

        // In the head of a `for` the parser takes modifiers behind the type.
        @Override
        public Void visitForLoop(ForLoopTree node, Void nothing) {
            for (Tree first : node.getInitializer()) {
                isWrong |= first instanceof VariableTree variable && isSealing(variable.getModifiers());
            }
            return super.visitForLoop(node, nothing);
        }

        @Override
        public Void visitEnhancedForLoop(EnhancedForLoopTree node, Void nothing) {
            isWrong |= isSealing(node.getVariable().getModifiers());
            return super.visitEnhancedForLoop(node, nothing);
        }

        @Override
        public Void visitBlock(BlockTree node, Void nothing) {
            take(node.getStatements());
            return super.visitBlock(node, nothing);
        }

        @Override
        public Void visitCase(CaseTree node, Void nothing) {
            isWrong |= node.getGuard() instanceof LambdaExpressionTree;
            take(node.getStatements());
            return super.visitCase(node, nothing);
        }

        @Override
        public Void visitConstantCaseLabel(ConstantCaseLabelTree node, Void nothing) {
            isWrong |= !isConstant(node.getConstantExpression());
            return super.visitConstantCaseLabel(node, nothing);
        }

        /** Whether an expression may be a constant, as far as its symbols say; no comparison is compared again. */
        private static boolean isConstant(Tree expression) {
            return switch (expression) {
                case BinaryTree binary ->
                    isConstant(binary.getLeftOperand()) && isConstant(binary.getRightOperand()) && !(isComparison(binary) && isComparison(binary.getLeftOperand()));
                case ConditionalExpressionTree conditional ->
                    isConstant(conditional.getCondition()) && isConstant(conditional.getTrueExpression()) && isConstant(conditional.getFalseExpression());
                case IdentifierTree name -> isName(name);
                case LiteralTree literal -> true;
                case MemberSelectTree select -> isName(select);
                case ParenthesizedTree parenthesized -> isConstant(parenthesized.getExpression());
                case TypeCastTree cast -> isConstant(cast.getExpression());
                case UnaryTree unary -> !INCREMENTS.contains(unary.getKind()) && isConstant(unary.getExpression());
                default -> false;
            };
        }

        private static boolean isComparison(Tree expression) {
            return switch (expression.getKind()) {
                case LESS_THAN, GREATER_THAN, LESS_THAN_EQUAL, GREATER_THAN_EQUAL -> true;
                default -> false;
            };
        }

        private void agree(List<? extends CaseTree> cases) {
            isWrong |= cases.stream().map(CaseTree::getCaseKind).distinct().count() > 1;
        }

        @Override
        public Void visitSwitch(SwitchTree node, Void nothing) {
            agree(node.getCases());
            return super.visitSwitch(node, nothing);
        }

        @Override
        public Void visitSwitchExpression(SwitchExpressionTree node, Void nothing) {
            agree(node.getCases());
            return super.visitSwitchExpression(node, nothing);
        }

        @Override
        public Void visitBinary(BinaryTree node, Void nothing) {
            boolean isComputed = switch (node.getKind()) {
                case PLUS, MINUS, MULTIPLY, DIVIDE, REMAINDER, LEFT_SHIFT, RIGHT_SHIFT, UNSIGNED_RIGHT_SHIFT -> true;
                default -> false;
            };
            for (Tree operand : List.of(node.getLeftOperand(), node.getRightOperand())) {
                isWrong |= isNoOperand(operand) || isComputed && operand instanceof InstanceOfTree;
            }
            return super.visitBinary(node, nothing);
        }

        @Override
        public Void visitUnary(UnaryTree node, Void nothing) {
            isWrong |= isNoOperand(node.getExpression());
            return super.visitUnary(node, nothing);
        }

        /** Whether nothing is computed with this: a lambda, or a reference to a method with annotations in front. */
        private boolean isNoOperand(Tree tree) {
            return tree instanceof LambdaExpressionTree || tree instanceof MemberReferenceTree reference && isPrefixed(reference);
        }

        /** Whether annotations stand in front of a reference, and not of the brackets of an array. */
        private boolean isPrefixed(MemberReferenceTree reference) {
            return reference.getQualifierExpression() instanceof AnnotatedTypeTree annotated
                && start(annotated.getAnnotations().get(0)) < start(annotated.getUnderlyingType());
        }

        private long start(Tree tree) {
            return positions.getStartPosition(unit, tree);
        }

        @Override
        public Void visitInstanceOf(InstanceOfTree node, Void nothing) {
            isWrong |= isNoOperand(node.getExpression()) || isNoType(node.getType());
            isWrong |= isVoid(node.getType());
            return super.visitInstanceOf(node, nothing);
        }

        @Override
        public Void visitConditionalExpression(ConditionalExpressionTree node, Void nothing) {
            isWrong |= isNoOperand(node.getCondition());
            return super.visitConditionalExpression(node, nothing);
        }

        @Override
        public Void visitTypeCast(TypeCastTree node, Void nothing) {
            isWrong |= isVoid(node.getType());
            Tree type = node.getType() instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : node.getType();
            boolean isPrimitive = type instanceof PrimitiveTypeTree;
            isWrong |= isPrimitive ? node.getExpression() instanceof LambdaExpressionTree : isSigned(node.getExpression());
            return super.visitTypeCast(node, nothing);
        }

        /** Whether an expression begins with a sign, which nothing that is cast to a class does. */
        private static boolean isSigned(Tree expression) {
            return switch (expression.getKind()) {
                case UNARY_PLUS, UNARY_MINUS, PREFIX_INCREMENT, PREFIX_DECREMENT -> true;
                default -> false;
            };
        }

        @Override
        public Void visitDeconstructionPattern(DeconstructionPatternTree node, Void nothing) {
            isWrong |= node.getDeconstructor() instanceof PrimitiveTypeTree;
            return super.visitDeconstructionPattern(node, nothing);
        }

        @Override
        public Void visitArrayAccess(ArrayAccessTree node, Void nothing) {
            isWrong |= node.getExpression() instanceof AnnotatedTypeTree || isNoOperand(node.getExpression());
            return super.visitArrayAccess(node, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
            Tree inner = node.getExpression() instanceof AnnotatedTypeTree annotated ? annotated.getUnderlyingType() : node.getExpression();
            boolean isOfNoClass = inner instanceof PrimitiveTypeTree || inner instanceof ArrayTypeTree;
            isWrong |= isOfNoClass && !node.getIdentifier().contentEquals("class") || isNoOperand(inner);
            return super.visitMemberSelect(node, nothing);
        }

        @Override
        public Void visitErroneous(ErroneousTree node, Void nothing) {
            isWrong = true;
            return null;
        }

        @Override
        public Void visitUnionType(UnionTypeTree node, Void nothing) {
            isWrong |= !areClasses(node.getTypeAlternatives());
            return super.visitUnionType(node, nothing);
        }

        @Override
        public Void visitAnnotation(AnnotationTree node, Void nothing) {
            annotations.add(start(node));
            isWrong |= !isName(node.getAnnotationType());
            // What looks like assignments there names values.
            List<? extends Tree> arguments = node.getArguments();
            isWrong |= arguments.size() > 1 && !arguments.stream().allMatch(AssignmentTree.class::isInstance);
            for (Tree argument : node.getArguments()) {
                scan(argument instanceof AssignmentTree pair ? pair.getExpression() : argument, nothing);
            }
            return null;
        }
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String text) {
            super(URI.create("string:///Text.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
