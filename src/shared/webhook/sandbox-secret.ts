/** The secret with which the sandbox signs unless another one is given. It is no secret, like the sandbox's API key. */
export const sandboxSecret = 'whsec_sandbox_test';
