// The names that Java predefines: the types of each exported package, and each type's supertypes and
// accessible members. `python -m tests.names.java_names` runs it. It prints a line per type, PACKAGE TYPE |
// EXTENDED ... | MEMBER ...; the part behind `|` is for the given packages only.

import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

class JavaNames {
    public static void main(String[] withMembers) throws Exception {
        Set<String> lines = new TreeSet<>();
        for (Module module : ModuleLayer.boot().modules()) {
            ModuleReference found = module.getLayer().configuration().findModule(module.getName()).get().reference();
            try (ModuleReader reader = found.open(); Stream<String> entries = reader.list()) {
                for (String entry : entries.filter(one -> one.endsWith(".class")).toList()) {
                    String name = entry.substring(0, entry.length() - 6).replace('/', '.');
                    int dot = name.lastIndexOf('.');
                    String in = dot < 0 ? "" : name.substring(0, dot);
                    if ((in.startsWith("java.") || in.startsWith("javax.")) && module.isExported(in)) {
                        Class<?> type = Class.forName(module, name);
                        if (type != null && isForOthers(type) && type.getCanonicalName() != null) {
                            lines.add(line(in, type, Arrays.asList(withMembers).contains(in)));
                        }
                    }
                }
            }
        }
        lines.forEach(System.out::println);
    }

    static boolean isForOthers(Class<?> type) {
        for (Class<?> around = type; around != null; around = around.getDeclaringClass()) {
            if (!isForOthers(around.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    static boolean isForOthers(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    static String line(String in, Class<?> type, boolean hasMembers) {
        String name = type.getCanonicalName().substring(in.length() + 1);
        return hasMembers ? in + " " + name + " |" + members(in, type) : in + " " + name;
    }

    /** The accessible supertypes of a type, and its members, including those of inaccessible supertypes. */
    static String members(String in, Class<?> type) {
        Set<String> extended = new TreeSet<>();
        Set<String> members = new TreeSet<>();
        Deque<Class<?>> waiting = new ArrayDeque<>(List.of(type));
        while (!waiting.isEmpty()) {
            Class<?> one = waiting.pop();
            if (one != type && isForOthers(one)) {
                extended.add(one.getCanonicalName());
                continue;
            }
            Stream.of(one.getDeclaredFields(), one.getDeclaredMethods()).flatMap(Arrays::stream)
                .filter(member -> isForOthers(((Member) member).getModifiers()) && !((Member) member).isSynthetic())
                .forEach(member -> members.add(((Member) member).getName()));
            for (Class<?> inside : one.getDeclaredClasses()) {
                if (isForOthers(inside.getModifiers())) {
                    members.add(inside.getSimpleName());
                }
            }
            waiting.addAll(Arrays.asList(one.getInterfaces()));
            if (one.getSuperclass() != null) {
                waiting.add(one.getSuperclass());
            }
        }
        return " " + String.join(" ", extended) + " | " + String.join(" ", members);
    }
}
