import { CAPABILITIES, type JmapMethod } from './method.ts'

/** RFC 8620 §4. */
const echo: JmapMethod = { name: 'Core/echo', capability: CAPABILITIES.core, run: async (_call, args) => args }

export const coreMethods: readonly JmapMethod[] = [echo]
