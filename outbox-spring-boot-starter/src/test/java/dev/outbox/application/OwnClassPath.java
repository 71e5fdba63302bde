package dev.outbox.application;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The class path of this test without some of its entries, loaded anew: other classes, other statics, as in another
 * JVM or after a restart of the developer tools.
 */
final class OwnClassPath implements AutoCloseable {

    private final URLClassLoader loader;

    private OwnClassPath(Predicate<Path> left) {
        URL[] entries = Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getProperty("java.class.path"))
                .map(Path::of)
                .filter(left.negate())
                .map(OwnClassPath::url)
                .toArray(URL[]::new);
        loader = new URLClassLoader("application", entries, ClassLoader.getPlatformClassLoader());
    }

    static OwnClassPath complete() {
        return new OwnClassPath(entry -> false);
    }

    /** Without the entry that has this class. */
    static OwnClassPath without(Class<?> type) {
        Path location = location(type);
        return new OwnClassPath(entry -> entry.toAbsolutePath().equals(location));
    }

    /** Without jars whose name has this part. */
    static OwnClassPath withoutJars(String name) {
        return new OwnClassPath(entry -> entry.getFileName().toString().contains(name));
    }

    ClassLoader loader() {
        return loader;
    }

    /** Runs a program there. What goes in and comes out are types of Java itself, the only ones that both sides share. */
    @SuppressWarnings("unchecked")
    <R> R run(Class<? extends Function<Map<String, Object>, R>> program, Map<String, Object> input) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Constructor<?> constructor = loader.loadClass(program.getName()).getDeclaredConstructor();
            // The same package of another class loader is another package.
            constructor.setAccessible(true);
            return ((Function<Map<String, Object>, R>) constructor.newInstance()).apply(input);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
