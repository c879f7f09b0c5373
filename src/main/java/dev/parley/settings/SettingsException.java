package dev.parley.settings;

/** An invalid setting, with which the service does not start. The message is one sentence that names the setting. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingsException(Setting setting, String sentence) {
        super(setting.name() + " " + sentence);
    }

    public SettingsException(String sentence) {
        super(sentence);
    }
}
