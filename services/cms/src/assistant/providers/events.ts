import type { Json } from '../../people/call-route/call-route.ts'
import type { AiPort } from './port.ts'
import type { Connected, StepRequest, ToolCall } from './types.ts'

/** What an adapter reads out of a provider's stream, in its order. */
export type StepEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly input: number; readonly output: number }
  /** The provider said that it is done, and why. A stream without it was cut. */
  | { readonly type: 'end'; readonly reason: EndReason; readonly blocks: Json | null }

export type EndReason = 'stop' | 'tools' | 'length' | 'refused'

/** Implements one protocol. It throws ProviderError, or the reason of the signal. */
export type Adapter = (ai: AiPort, connected: Connected, request: StepRequest) => AsyncGenerator<StepEvent>
