package dev.parley.workflow.expression.core;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelVarDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The types of a scope for CEL's checker.
 *
 * @param structs by name: one for each prefix of a variable's path
 * @param roots the types of the variables that an expression may start with
 */
record ScopeTypes(ImmutableMap<String, CelType> structs, ImmutableMap<String, CelType> roots)
        implements CelTypeProvider {
    static ScopeTypes of(ExpressionScope scope) {
        Map<List<String>, Map<String, CelType>> fields = new LinkedHashMap<>();
        scope.variables().forEach((path, type) -> declare(fields, path, celType(type)));
        Map<String, CelType> roots = fields.remove(List.of());
        ImmutableMap.Builder<String, CelType> structs = ImmutableMap.builder();
        fields.forEach((path, members) -> {
            ImmutableMap<String, CelType> types = ImmutableMap.copyOf(members);
            String name = structName(path);
            structs.put(name, StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field))));
        });
        return new ScopeTypes(structs.buildOrThrow(), roots == null ? ImmutableMap.of() : ImmutableMap.copyOf(roots));
    }

    List<CelVarDecl> declarations() {
        return roots.entrySet().stream()
                .map(root -> CelVarDecl.newVarDeclaration(root.getKey(), root.getValue()))
                .toList();
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return structs.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    /** Declares a field, and the structs on the way to it. */
    private static void declare(Map<List<String>, Map<String, CelType>> fields, List<String> path, CelType type) {
        List<String> parent = path.subList(0, path.size() - 1);
        fields.computeIfAbsent(parent, _ -> new LinkedHashMap<>()).put(path.getLast(), type);
        if (!parent.isEmpty()) {
            declare(fields, parent, StructTypeReference.create(structName(parent)));
        }
    }

    /** No identifier, so that an expression cannot name the type instead of the variable. */
    private static String structName(List<String> path) {
        return "/" + String.join("/", path);
    }

    private static CelType celType(ExpressionType type) {
        return switch (type) {
            case Scalar.BOOLEAN -> NullableType.create(SimpleType.BOOL);
            case Scalar.INTEGER -> NullableType.create(SimpleType.INT);
            case Scalar.FLOAT -> NullableType.create(SimpleType.DOUBLE);
            case Scalar.STRING -> NullableType.create(SimpleType.STRING);
            // Has no nullable type in CEL, and may be compared with null without one.
            case Scalar.DATETIME -> SimpleType.TIMESTAMP;
            case ListOf list -> ListType.create(celType(list.items()));
            case AnyObject _ -> MapType.create(SimpleType.STRING, SimpleType.DYN);
        };
    }
}
