package dev.parley.workflow.expression.core;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.parley.workflow.expression.core.ExpressionCompiler.IssueAt;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The types that {@code ==}, {@code !=} and {@code in} accept. CEL compares integers with decimal numbers at run time
 * and with {@code <} and {@code >}, but declares equality for one type only. Therefore the functions are declared for
 * all types, and checked here.
 */
final class ComparedTypes {
    private static final TypeParamType ONE = TypeParamType.create("A");
    private static final TypeParamType OTHER = TypeParamType.create("B");
    private static final String IN = "@in";

    /** The names of the functions, and how people write them. */
    private static final Map<String, String> OPERATORS = Map.of("_==_", "==", "_!=_", "!=", IN, "in");

    private static final Set<CelKind> DYNAMIC = Set.of(CelKind.DYN, CelKind.ANY, CelKind.ERROR, CelKind.TYPE_PARAM);
    private static final Set<CelKind> NUMBERS = Set.of(CelKind.INT, CelKind.UINT, CelKind.DOUBLE);
    private static final Set<CelKind> NULLABLE =
            Set.of(CelKind.TIMESTAMP, CelKind.DURATION, CelKind.STRUCT, CelKind.NULL_TYPE);

    /** Instead of those of the standard, with the same overloads. */
    static final List<CelFunctionDecl> DECLARATIONS = List.of(
            CelFunctionDecl.newFunctionDeclaration(
                    "_==_", CelOverloadDecl.newGlobalOverload("equals", SimpleType.BOOL, ONE, OTHER)),
            CelFunctionDecl.newFunctionDeclaration(
                    "_!=_", CelOverloadDecl.newGlobalOverload("not_equals", SimpleType.BOOL, ONE, OTHER)),
            CelFunctionDecl.newFunctionDeclaration(
                    IN,
                    CelOverloadDecl.newGlobalOverload("in_list", SimpleType.BOOL, ONE, ListType.create(OTHER)),
                    CelOverloadDecl.newGlobalOverload("in_map", SimpleType.BOOL, ONE, MapType.create(ONE, OTHER))));

    private ComparedTypes() {}

    /** The comparisons whose operands can never be equal. */
    static List<IssueAt> issues(CelAbstractSyntaxTree checked) {
        return ExpressionCompiler.nodes(checked)
                .filter(node -> node.getKind() == ExprKind.Kind.CALL
                        && OPERATORS.containsKey(node.call().function())
                        && !isValid(checked, node))
                .map(call -> new IssueAt(
                        call.id(),
                        "found no matching overload for '%s' applied to '(%s, %s)'"
                                .formatted(
                                        OPERATORS.get(call.call().function()),
                                        CelTypes.format(type(checked, call, 0)),
                                        CelTypes.format(type(checked, call, 1)))))
                .toList();
    }

    private static boolean isValid(CelAbstractSyntaxTree checked, CelExpr call) {
        CelType right = type(checked, call, 1);
        if (call.call().function().equals(IN)) {
            return right.kind() != CelKind.LIST
                    || isComparable(type(checked, call, 0), right.parameters().getFirst());
        }
        return isComparable(type(checked, call, 0), right);
    }

    private static CelType type(CelAbstractSyntaxTree checked, CelExpr call, int argument) {
        return checked.getType(call.call().args().get(argument).id()).orElse(SimpleType.DYN);
    }

    private static boolean isComparable(CelType one, CelType other) {
        CelType left = one instanceof NullableType nullable ? nullable.targetType() : one;
        CelType right = other instanceof NullableType nullable ? nullable.targetType() : other;
        if (DYNAMIC.contains(left.kind())
                || DYNAMIC.contains(right.kind())
                || (NUMBERS.contains(left.kind()) && NUMBERS.contains(right.kind()))) {
            return true;
        }
        if (left.kind() == CelKind.NULL_TYPE) {
            return other instanceof NullableType || NULLABLE.contains(right.kind());
        }
        if (right.kind() == CelKind.NULL_TYPE) {
            return one instanceof NullableType || NULLABLE.contains(left.kind());
        }
        if (left.kind() != right.kind()) {
            return false;
        }
        return switch (left.kind()) {
            case LIST ->
                isComparable(left.parameters().getFirst(), right.parameters().getFirst());
            case MAP ->
                isComparable(left.parameters().getFirst(), right.parameters().getFirst())
                        && isComparable(
                                left.parameters().getLast(), right.parameters().getLast());
            case TYPE -> true;
            default -> left.equals(right);
        };
    }
}
