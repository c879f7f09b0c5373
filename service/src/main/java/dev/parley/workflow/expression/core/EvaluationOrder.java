package dev.parley.workflow.expression.core;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.runtime.CelEvaluationListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which the nodes of an expression are evaluated. CEL reports a node after its evaluation, and does not
 * report a node that fails. If another node follows than the one that must, an operation failed in between.
 */
final class EvaluationOrder {
    /** They do not evaluate all of their operands, or go on after an error. */
    private static final Set<String> NOT_STRICT = Set.of("_?_:_", "_&&_", "_||_", "@not_strictly_false");

    private final CelAbstractSyntaxTree tree;

    /** The node that must be evaluated after a node, if it is certain. */
    private final Map<Long, Long> following = new HashMap<>();

    /** The keys of objects, whose hash reads them. */
    private final Set<Long> keys = new HashSet<>();

    EvaluationOrder(CelAbstractSyntaxTree tree) {
        this.tree = tree;
        ExpressionCompiler.nodes(tree).forEach(expression -> {
            List<CelExpr> operands = operands(expression);
            if (expression.getKind() == ExprKind.Kind.MAP) {
                expression.map().entries().forEach(entry -> keys.add(entry.key().id()));
            }
            for (int i = 0; i < operands.size() && isStrict(expression); i++) {
                CelExpr next = i + 1 < operands.size() ? first(operands.get(i + 1)) : expression;
                following.put(operands.get(i).id(), next.id());
            }
        });
    }

    /** Spends the cost of each node, and of errors that are absorbed. */
    CelEvaluationListener meter(EvaluationCost cost) {
        return new CelEvaluationListener() {
            private long expected = -1;

            @Override
            public void callback(CelExpr node, Object value) {
                cost.spend(EvaluationCost.STEP);
                if (expected >= 0 && expected != node.id()) {
                    cost.spend(EvaluationCost.ERROR);
                }
                if (keys.contains(node.id())) {
                    cost.spendOn(value);
                }
                expected = following.getOrDefault(node.id(), -1L);
            }
        };
    }

    private static boolean isStrict(CelExpr node) {
        return node.getKind() != ExprKind.Kind.CALL
                || !NOT_STRICT.contains(node.call().function());
    }

    /** The first node that is evaluated within a node. */
    private CelExpr first(CelExpr node) {
        if (node.getKind() == ExprKind.Kind.COMPREHENSION) {
            return first(node.comprehension().iterRange());
        }
        List<CelExpr> operands = operands(node);
        return operands.isEmpty() ? node : first(operands.getFirst());
    }

    private List<CelExpr> operands(CelExpr node) {
        List<CelExpr> operands = new ArrayList<>();
        switch (node.getKind()) {
            case SELECT -> {
                if (tree.getReference(node.id()).isEmpty()) {
                    operands.add(node.select().operand());
                }
            }
            case CALL -> {
                node.call().target().ifPresent(operands::add);
                operands.addAll(node.call().args());
            }
            case LIST -> operands.addAll(node.list().elements());
            case STRUCT -> node.struct().entries().forEach(entry -> operands.add(entry.value()));
            case MAP ->
                node.map().entries().forEach(entry -> {
                    operands.add(entry.key());
                    operands.add(entry.value());
                });
            case CONSTANT, IDENT, COMPREHENSION, NOT_SET -> {
                // Evaluated without operands, or in an order of their own.
            }
        }
        return operands;
    }
}
