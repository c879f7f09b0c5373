package dev.parley.bench;

import java.util.List;

/** The loads of the developer API, with an API key. */
final class ServiceLoads {
    static final int CONNECTIONS = 64;
    static final int CALLERS = 16;

    private static final String MESSAGE =
            "{\"conversation_id\":\"@c\",\"content_type\":\"text\",\"content\":\"Message @n: please look at the invoice of last week.\"}";
    private static final String INPUT = "{\"human_msg\":\"Hello\"}";
    private static final String CONVERSATIONS = "/developer/api/conversations/";

    private ServiceLoads() {}

    static Load post(List<String> urls, String key, List<String> conversations) {
        return new Load(urls, "POST", "/developer/api/messages", MESSAGE, Load.bearer(key), conversations, CONNECTIONS);
    }

    /** The newest messages of one conversation. */
    static Load get(String url, String key, String conversation) {
        return get(List.of(url), key, page(conversation), List.of());
    }

    /** The newest messages of the conversations in turn. */
    static Load get(List<String> urls, String key, List<String> conversations) {
        return get(urls, key, page("@c"), conversations);
    }

    private static Load get(List<String> urls, String key, String path, List<String> conversations) {
        return new Load(urls, "GET", path, "", Load.bearer(key), conversations, CONNECTIONS);
    }

    static String page(String conversation) {
        return CONVERSATIONS + conversation + "/messages?limit=50";
    }

    static Load trigger(List<String> urls, String key, String workflow) {
        return new Load(urls, "POST", Tenant.trigger(workflow), INPUT, Load.bearer(key), List.of(), CALLERS);
    }
}
