package dev.parley.settings;

/** An invalid setting, with which the service does not start. The message is one sentence that names the setting. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingsException(Setting setting, String detail) {
        super(setting.name() + " " + detail);
    }

    public SettingsException(String detail) {
        super(detail);
    }
}
