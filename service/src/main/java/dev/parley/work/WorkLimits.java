package dev.parley.work;

/**
 * The workers that may run at the same time on one node, and the keys that may be in memory.
 *
 * @param runningPerSlowGroup applies to groups that were reported as slow
 * @param keysPerGroup waiting keys of a group; further ones are left to the sweep
 */
public record WorkLimits(
        int running,
        int runningPerOrganization,
        int runningPerGroup,
        int runningPerSlowGroup,
        int keys,
        int keysPerGroup) {
    /** For work that never blocks for long. */
    public static final WorkLimits NONE = running(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Limits the running workers, but not the keys in memory. */
    public static WorkLimits running(int running, int perOrganization) {
        return new WorkLimits(
                running, perOrganization, perOrganization, perOrganization, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
}
