import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        Targets targets = new Targets();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                targets.scan(unit, null);
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
        return wrongName.isEmpty() && targets.isWrong ? TARGET : wrongName;
    }

    /**
     * What the specification's grammar says, and javac's parser leaves to the checker: targets of assignments are
     * variables, names of variables are simple, `var` is no class, and interfaces of annotations extend nothing.
     */
    private static final class Targets extends TreeScanner<Void, Void> {
        private boolean isWrong;

        private void take(Tree target) {
            Tree inner = target;
            while (inner instanceof ParenthesizedTree parenthesized) {
                inner = parenthesized.getExpression();
            }
            isWrong |= !(inner instanceof IdentifierTree name && !isKeyword(name) || inner instanceof MemberSelectTree || inner instanceof ArrayAccessTree);
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
            isWrong |= node.getNameExpression() instanceof MemberSelectTree name && !name.getIdentifier().contentEquals("this");
            return super.visitVariable(node, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void nothing) {
            isWrong |= node.getIdentifier() instanceof IdentifierTree name && name.getName().contentEquals("var");
            return super.visitNewClass(node, nothing);
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
            boolean isAnnotation = node.getKind() == Tree.Kind.ANNOTATION_TYPE;
            isWrong |= isAnnotation && !(node.getTypeParameters().isEmpty() && node.getImplementsClause().isEmpty());
            return super.visitClass(node, nothing);
        }

        @Override
        public Void visitAnnotation(AnnotationTree node, Void nothing) {
            // What looks like assignments there names values.
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
