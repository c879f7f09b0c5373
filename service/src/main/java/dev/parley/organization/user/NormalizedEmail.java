package dev.parley.organization.user;

import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizerFactory;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizingAnnotation;
import org.jdbi.v3.sqlobject.customizer.SqlStatementParameterCustomizer;

/** Binds an address as it is stored and compared: {@link UserStore#normalized}. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@SqlStatementCustomizingAnnotation(NormalizedEmail.Binding.class)
public @interface NormalizedEmail {
    /** Created by reflection. */
    final class Binding implements SqlStatementCustomizerFactory {
        @Override
        public SqlStatementParameterCustomizer createForParameter(
                Annotation annotation, Class<?> store, Method method, Parameter parameter, int index, Type type) {
            return (statement, email) -> statement.bind(parameter.getName(), UserStore.normalized((String) email));
        }
    }
}
