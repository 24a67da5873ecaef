import type { AiKind } from '@stoa/cms-model/ai.ts'
import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Json } from '../../people/call-route/call-route.ts'

/** A provider that can be asked. */
export type Connected = {
  readonly kind: AiKind
  readonly model: string
  /** Set for the local kind; the others have fixed addresses. */
  readonly baseUrl: string | null
  readonly credential: { readonly from: 'key' | 'oauth'; readonly value: Secret } | null
  /** How much a local model reads at once. */
  readonly contextTokens: number
}

export type ToolSchema = { readonly name: string; readonly description: string; readonly inputSchema: Json }

/** What the model asks for. The arguments are JSON, or a text that could not be read as such. */
export type ToolCall = { readonly id: string; readonly name: string; readonly args: Json }

export type ToolResult = {
  readonly callId: string
  readonly name: string
  readonly content: string
  readonly isError: boolean
}

/** The provider's own blocks of one step (thinking with its signature and so on), for it and this model alone. */
export type Replay = { readonly kind: AiKind; readonly model: string; readonly blocks: Json }

export type Picture = { readonly mime: string; readonly bytes: Buffer }

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly pictures?: readonly Picture[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly ToolCall[]
      readonly replay: Replay | null
    }
  /** All results of one step together. */
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export type StepRequest = {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** In the order of their names, so that providers can keep what they have read. */
  readonly tools: readonly ToolSchema[]
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
  /** Text as it comes. */
  onText(delta: string): void
}

/** A step that the provider ended in so many words; everything else is a ProviderError. */
export type StepResult = {
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** `length`: the text is as long as it may be, and there are no calls. */
  readonly stop: 'end' | 'tools' | 'length'
  readonly usage: { readonly input: number; readonly output: number }
  readonly replay: Replay | null
}

/** Why a step is worth nothing. The text is ours; `providerText` is what the provider said, bounded. */
export class ProviderError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly retryAfterSeconds: number | null
  readonly providerText: string | null

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      retryable?: boolean
      retryAfterSeconds?: number | null
      providerText?: string | null
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ProviderError'
    this.code = code
    this.retryable = more.retryable ?? false
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
    this.providerText = more.providerText ?? null
  }
}
