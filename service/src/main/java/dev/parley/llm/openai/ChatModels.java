package dev.parley.llm.openai;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.llm.ChatModel;
import dev.parley.llm.protocol.ModelEndpoint;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Creates the models of endpoints. A model is thread-safe, needs no closing, and remembers as long as it lives what its
 * endpoint does differently: keep it while the endpoint's settings stay.
 */
@Singleton
public final class ChatModels implements AutoCloseable {
    private final EgressRules rules;
    private final EgressClient client;
    private final Queue<EgressClient> operatorClients = new ConcurrentLinkedQueue<>();

    public ChatModels(EgressRules rules) {
        this.rules = rules;
        this.client = EgressClient.forStreams(rules);
    }

    /**
     * The model at an endpoint of an organization, whose address the egress rules must allow.
     *
     * @throws IllegalArgumentException with a sentence, if the base URL is invalid
     */
    public EndpointChatModel of(ModelEndpoint endpoint) {
        return new EndpointChatModel(endpoint, client, Thread::sleep);
    }

    /** The model at an endpoint that the operator set, whose address may be private. */
    public ChatModel ofOperator(ModelEndpoint endpoint) {
        EgressClient own = EgressClient.forStreams(EndpointChatModel.rulesFor(endpoint.baseUrl(), rules));
        operatorClients.add(own);
        return new EndpointChatModel(endpoint, own, Thread::sleep);
    }

    @Override
    @PreDestroy
    public void close() {
        client.close();
        operatorClients.forEach(EgressClient::close);
    }
}
