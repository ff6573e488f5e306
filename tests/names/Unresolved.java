// The unresolved names in Java files, by javac, and its other errors: for the given files, as FILE TAB NAME.

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

class Unresolved {
    public static void main(String[] paths) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        var files = compiler.getStandardFileManager(found, Locale.ROOT, null);
        List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "100000");
        compiler.getTask(null, files, found, options, null, files.getJavaFileObjects(paths)).call();
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            if (one.getKind() != Diagnostic.Kind.ERROR || one.getSource() == null) {
                continue;
            }
            String text = one.getSource().getCharContent(true).toString();
            boolean isMissing = one.getCode().startsWith("compiler.err.cant.resolve");
            boolean isPackage = one.getCode().equals("compiler.err.doesnt.exist");
            long start = isPackage ? one.getStartPosition() : one.getPosition();
            String name = Stream.of(text.substring((int) start).split("\\W")).findFirst().orElse("");
            String said = isMissing ? name : isPackage ? "package " + name : one.getCode();
            System.out.println(one.getSource().toUri().getPath() + "\t" + said);
        }
    }
}
