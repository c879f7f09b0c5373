package dev.parley.workflow.expression.core;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses and type-checks expressions. Names that are no identifiers are written in backticks: {@code inputs.`net
 * amount`}. Lengths, nesting, iterations, functions and the cost of evaluations are limited, so that no expression
 * exhausts time or memory.
 */
public final class ExpressionCompiler {
    /** The maximum length of an expression, in code points. */
    public static final int MAX_LENGTH = 2_000;

    private static final int MAX_ISSUES = 20;
    private static final int MAX_NESTING = 32;
    private static final int MAX_ITERATIONS = 20_000;
    private static final String MATCHES = "matches";

    static final CelOptions OPTIONS = CelOptions.current()
            .enableQuotedIdentifierSyntax(true)
            .enableHeterogeneousNumericComparisons(true)
            .evaluateCanonicalTypesToNativeValues(true)
            .maxExpressionCodePointSize(MAX_LENGTH)
            .maxParseRecursionDepth(MAX_NESTING)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .build();
    /** Without those that create lists or join texts: repeated for each item, they would exhaust the memory. */
    private static final List<CelStandardMacro> MACROS =
            List.of(CelStandardMacro.HAS, CelStandardMacro.ALL, CelStandardMacro.EXISTS, CelStandardMacro.EXISTS_ONE);

    private static final CelStandardDeclarations FUNCTIONS = CelStandardDeclarations.newBuilder()
            .filterFunctions((function, overload) -> function != StandardFunction.BYTES
                    && !Set.of(StandardFunction.EQUALS, StandardFunction.NOT_EQUALS, StandardFunction.IN)
                            .contains(function)
                    && overload != StandardFunction.Overload.Arithmetic.ADD_STRING
                    && overload != StandardFunction.Overload.Arithmetic.ADD_BYTES
                    && overload != StandardFunction.Overload.Arithmetic.ADD_LIST)
            .build();
    private static final CelParser PARSER = CelParserFactory.standardCelParserBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(MACROS)
            .build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .addFunctionBindings(MeteredFunctions.all())
            .build();

    private ExpressionCompiler() {}

    /**
     * The result of a compilation.
     *
     * @param expression null if it cannot be evaluated; issues of constants and comparisons only keep it out of new
     *     versions, so that earlier ones still run
     */
    public record Compilation(@Nullable CompiledExpression expression, List<ExpressionIssue> issues) {
        public Compilation {
            issues = List.copyOf(issues);
        }
    }

    /** Compiles an expression that must be of type bool. */
    public static Compilation compile(String text, ExpressionScope scope) {
        EvaluationCost.takeTurn(); // A document may have 1,000 expressions, of up to 15 ms each.
        try {
            return compileNow(text, scope);
        } finally {
            EvaluationCost.endTurn();
        }
    }

    private static Compilation compileNow(String text, ExpressionScope scope) {
        try {
            CelValidationResult parsed = PARSER.parse(text);
            if (parsed.hasError()) {
                return failed(first(parsed.getErrors()));
            }
            List<CelIssue> constants = located(parsed.getAst(), constantIssues(parsed.getAst()));
            ScopeTypes types = ScopeTypes.of(scope);
            CelValidationResult checked = CelCompilerFactory.standardCelCheckerBuilder()
                    .setOptions(OPTIONS)
                    .setStandardEnvironmentEnabled(false)
                    .setStandardDeclarations(FUNCTIONS)
                    .addFunctionDeclarations(ComparedTypes.DECLARATIONS)
                    .setTypeProvider(types)
                    .addVarDeclarations(types.declarations())
                    .build()
                    .check(parsed.getAst());
            if (checked.hasError()) {
                return failed(join(constants, checked.getErrors()));
            }
            CelAbstractSyntaxTree tree = checked.getAst();
            List<CelIssue> others = join(constants, located(tree, ComparedTypes.issues(tree)));
            Optional<CelIssue> refused = refuseOtherTypes(tree).or(() -> refuseRepeatedPatterns(tree));
            if (refused.isPresent()) {
                return failed(others.isEmpty() ? List.of(refused.get()) : others);
            }
            return new Compilation(
                    new CompiledExpression(
                            text, RUNTIME.createProgram(tree), new EvaluationOrder(tree), references(tree, scope)),
                    readable(others));
        } catch (CelValidationException e) {
            return failed(e.getErrors());
        } catch (CelEvaluationException e) {
            return failed(List.of(CelIssue.formatError(1, 0, String.valueOf(e.getMessage()))));
        }
    }

    /** The first error of the syntax; others mostly follow from it. */
    public static List<ExpressionIssue> syntaxIssues(String text) {
        CelValidationResult parsed = PARSER.parse(text);
        try {
            return readable(
                    parsed.hasError()
                            ? first(parsed.getErrors())
                            : located(parsed.getAst(), constantIssues(parsed.getAst())));
        } catch (CelValidationException e) {
            return readable(first(e.getErrors()));
        }
    }

    /** A message about a node of the tree. */
    record IssueAt(long node, String message) {}

    private static List<CelIssue> located(CelAbstractSyntaxTree tree, List<IssueAt> issues) {
        return issues.stream()
                .map(issue -> CelIssue.formatError(
                        Optional.ofNullable(tree.getSource().getPositionsMap().get(issue.node))
                                .flatMap(tree.getSource()::getOffsetLocation)
                                .orElse(CelSourceLocation.of(1, 0)),
                        issue.message))
                .toList();
    }

    private static List<CelIssue> join(List<CelIssue> some, List<CelIssue> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** Constants that fail each evaluation: patterns that cannot be read, and numbers that are too large. */
    private static List<IssueAt> constantIssues(CelAbstractSyntaxTree parsed) {
        List<IssueAt> issues = new ArrayList<>();
        nodes(parsed).forEach(node -> {
            if (node.getKind() == ExprKind.Kind.CONSTANT
                    && node.constant().getKind() == CelConstant.Kind.DOUBLE_VALUE
                    && Double.isInfinite(node.constant().doubleValue())) {
                issues.add(new IssueAt(node.id(), "the number is too large"));
            } else if (isMatch(node)) {
                patternIssue(node).ifPresent(issues::add);
            }
        });
        return issues;
    }

    static Stream<CelExpr> nodes(CelAbstractSyntaxTree tree) {
        return CelNavigableAst.fromAst(tree).getRoot().allNodes().map(CelNavigableExpr::expr);
    }

    private static boolean isMatch(CelExpr node) {
        return node.getKind() == ExprKind.Kind.CALL && node.call().function().equals(MATCHES);
    }

    private static Optional<IssueAt> patternIssue(CelExpr call) {
        CelExpr pattern =
                call.call().args().isEmpty() ? call : call.call().args().getLast();
        if (pattern.getKind() != ExprKind.Kind.CONSTANT
                || pattern.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
            return Optional.empty();
        }
        try {
            MeteredFunctions.checkPattern(pattern.constant().stringValue());
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(new IssueAt(pattern.id(), String.valueOf(e.getMessage())));
        }
    }

    /** The paths, such as {@code inputs.amount}, that an expression selects, without a check of its types. */
    public static Set<List<String>> selections(String text) {
        try {
            return nodes(PARSER.parse(text).getAst())
                    .map(ExpressionCompiler::path)
                    .collect(Collectors.toSet());
        } catch (CelValidationException _) {
            return Set.of();
        }
    }

    private static List<CelIssue> first(List<CelIssue> issues) {
        return issues.stream().limit(1).toList();
    }

    private static Compilation failed(List<CelIssue> issues) {
        return new Compilation(null, readable(issues));
    }

    private static List<ExpressionIssue> readable(List<CelIssue> issues) {
        return issues.stream()
                .limit(MAX_ISSUES)
                .map(issue -> new ExpressionIssue(
                        Math.max(1, issue.getSourceLocation().getLine()),
                        issue.getSourceLocation().getColumn() + 1,
                        ExpressionMessages.readable(issue.getMessage())))
                .toList();
    }

    /** A nullable bool counts as a condition too: null is false. */
    private static Optional<CelIssue> refuseOtherTypes(CelAbstractSyntaxTree tree) {
        CelType type = tree.getResultType();
        boolean isCondition = type.equals(SimpleType.BOOL)
                || type.equals(SimpleType.DYN)
                || type.equals(NullableType.create(SimpleType.BOOL));
        return isCondition
                ? Optional.empty()
                : Optional.of(CelIssue.formatError(1, 0, "expected type 'bool' but found '" + type.name() + "'"));
    }

    /** A pattern takes far longer than other functions, so it may not be matched for each item of a list. */
    private static Optional<CelIssue> refuseRepeatedPatterns(CelAbstractSyntaxTree tree) {
        boolean repeats = CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .filter(node -> node.getKind() == ExprKind.Kind.COMPREHENSION)
                .flatMap(CelNavigableExpr::descendants)
                .anyMatch(node -> isMatch(node.expr()));
        return repeats
                ? Optional.of(CelIssue.formatError(1, 0, "'matches' cannot be used for each item of a list"))
                : Optional.empty();
    }

    /** The variables of the scope that the expression selects. */
    private static Map<List<String>, ExpressionType> references(CelAbstractSyntaxTree tree, ExpressionScope scope) {
        Map<List<String>, ExpressionType> references = new LinkedHashMap<>();
        nodes(tree).map(ExpressionCompiler::path).forEach(path -> {
            ExpressionType type = scope.variables().get(path);
            if (type != null) {
                references.put(path, type);
            }
        });
        return Map.copyOf(references);
    }

    private static List<String> path(CelExpr expression) {
        Deque<String> names = new ArrayDeque<>();
        CelExpr next = expression;
        while (next.getKind() == ExprKind.Kind.SELECT) {
            names.addFirst(next.select().field());
            next = next.select().operand();
        }
        if (next.getKind() == ExprKind.Kind.IDENT) {
            names.addFirst(next.ident().name());
        }
        return List.copyOf(names);
    }
}
