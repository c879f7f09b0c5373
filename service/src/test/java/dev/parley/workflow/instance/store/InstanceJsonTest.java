package dev.parley.workflow.instance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.workflow.instance.core.InstanceSimulation;
import dev.parley.workflow.instance.core.RandomWalk;
import dev.parley.workflow.instance.core.WorkflowBuilder;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class InstanceJsonTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    @Property(tries = 200)
    void statesAndChangesSurviveARoundTrip(@ForAll long seed) {
        RandomWalk walk = new RandomWalk(seed);
        for (int i = 0; i < 30; i++) {
            RandomWalk.Step step = walk.step();
            InstanceState state = step.after();
            String json = InstanceJson.write(state);
            assertThat(InstanceJson.readState(json, state.plan())).isEqualTo(state);
            assertThat(InstanceJson.write(InstanceJson.readState(json, state.plan())))
                    .isEqualTo(json);
            if (step.outcome() instanceof Decision decision) {
                InstanceDelta delta = decision.delta();
                assertThat(InstanceJson.readDelta(InstanceJson.write(delta))).isEqualTo(delta);
            }
        }
    }

    @Property(tries = 500)
    void valuesComeBackExactly(@ForAll("values") Object value) {
        InstanceState state = withInput(value);
        assertThat(InstanceJson.readState(InstanceJson.write(state), state.plan()))
                .isEqualTo(state);
    }

    @Example
    void numbersKeepTheirKindAndTheirScale() {
        List<Object> numbers = List.of(
                5L,
                Long.MIN_VALUE,
                new BigInteger("9223372036854775808"),
                BigInteger.TEN.pow(1_500),
                new BigDecimal("5"),
                new BigDecimal("5.00"),
                new BigDecimal("1E+3"),
                new BigDecimal("-0.1"),
                new BigDecimal("1E-400"));
        InstanceState state = withInput(numbers);
        assertThat(InstanceJson.readState(InstanceJson.write(state), state.plan())
                        .trigger()
                        .inputs()
                        .get("value"))
                .isEqualTo(numbers);
    }

    @Example
    void membersOfALaterVersionAreSkipped() {
        InstanceState state = withInput(Arrays.asList("x", null, Map.of()));
        String json = InstanceJson.write(state);
        String later = json.replace("{", "{\"later\":{\"a\":[1,{\"b\":null}]},");
        assertThat(later).isNotEqualTo(json);
        assertThat(InstanceJson.readState(json.replaceFirst("\\{", "{\"later\":[{}],"), state.plan()))
                .isEqualTo(state);
        InstanceState run = InstanceSimulation.of(new WorkflowBuilder().ai("a")).state();
        String more = InstanceJson.write(run)
                .replace("\"status\":", "\"later\":{\"a\":[1,{\"b\":null}]},\"status\":")
                .replace("\"instance\":", "\"later\":[],\"instance\":");
        assertThat(InstanceJson.readState(more, run.plan())).isEqualTo(run);
    }

    @Example
    void invalidJsonIsRejected() {
        InstanceState state = withInput("x");
        for (String json : List.of("", "[]", "{", "{}", "{\"v\":\"x\"}", "{\"tasks\":[]}")) {
            assertThatThrownBy(() -> InstanceJson.readState(json, state.plan()))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    /** Stored documents must stay readable: these have every member, with the names and forms that are in databases. */
    @Example
    void storedDocumentsKeepTheirFormat() throws IOException {
        String state = """
                {"v":7,"created":1769851800123,"at":1769851801000,"status":"FAILED","paused":true,
                 "trigger":{"instance":"i1","organization":"o1","started":1769851800123,"conversation":"c1",
                  "human_msg":"","file_urls":["s3://b/f.pdf"],
                  "inputs":{"n":3,"big":9223372036854775808,"x":1.50,"five":5E0,"none":null,"list":[true,{"k":[]}]}},
                 "tasks":{"a":{"status":"WAITING","attempt":2,"run":1,"retries":3,"policy":1,"waits":"HUMAN_TICKET",
                   "outputs":{"o":null},"error":{"error":"Timeout","detail":"","transient":true},
                   "started":1769851800123,"finished":1769851800124,"retry":1769851800125,
                   "usage":{"in":120,"out":0,"cost":15}}},
                 "answers":{"name":"Kim"},"output":{},
                 "error":{"task":"a","error":"Broken","detail":"It cannot work."},"finished":1769851801000}
                """.replaceAll("\n *", "");
        ExecutionPlan plan =
                InstanceSimulation.of(new WorkflowBuilder().ai("a")).state().plan();
        assertThat(JSON.readTree(InstanceJson.write(InstanceJson.readState(state, plan))))
                .isEqualTo(JSON.readTree(state));
        String delta = "{\"v\":0,\"at\":1769851801000,\"status\":\"RUNNING\",\"paused\":false,\"output\":{\"a\":5E0}}";
        InstanceDelta read = InstanceJson.readDelta(delta);
        assertThat(read.pausedByRequest()).isFalse();
        assertThat(read.output()).isEqualTo(Map.of("a", new BigDecimal("5")));
        assertThat(InstanceJson.readDelta(InstanceJson.write(read))).isEqualTo(read);
        assertThat(InstanceJson.write(read)).hasSizeLessThanOrEqualTo(delta.length());
    }

    private static InstanceState withInput(Object value) {
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
        inputs.put("value", value);
        inputs.put("none", null);
        return InstanceSimulation.of(
                        new WorkflowBuilder().ai("a"), InstanceSimulation.trigger("Héllo \u2028 \"", inputs, "c1"))
                .state();
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> plain = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20).asGeneric(),
                Arbitraries.longs().asGeneric(),
                Arbitraries.bigDecimals().asGeneric(),
                Arbitraries.of(true, false).asGeneric(),
                Arbitraries.bigIntegers()
                        .map(number -> number.bitLength() < 64 ? (Object) number.longValue() : number));
        return nested(nested(plain));
    }

    private static Arbitrary<Object> nested(Arbitrary<Object> inner) {
        return Arbitraries.oneOf(
                inner,
                inner.list().ofMaxSize(3).asGeneric(),
                Arbitraries.maps(Arbitraries.strings().ofMaxLength(5), inner)
                        .ofMaxSize(3)
                        .asGeneric());
    }
}
