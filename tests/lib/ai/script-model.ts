/** A message as the model receives it, whatever the protocol. */
export type ScriptMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** Only in messages of the role `assistant`. */
  calls?: { id: string; name: string; args: unknown }[]
  /** Only in messages of the role `tool`. */
  toolName?: string
  pictures?: number
}

/** One step of the model. A promise among its texts pauses it there until the promise is settled. */
export type ScriptStep = {
  text?: string | readonly (string | Promise<unknown>)[]
  calls?: readonly { name: string; args?: unknown; id?: string }[]
  /** The model's thinking before the answer. Providers that sign it require it back unchanged. */
  thinking?: string
  /** The model stopped because it reached its output limit. */
  isCutShort?: true
  /** The stream ends without a proper end: cleanly, by breaking off, or by an error inside the stream. */
  fault?: 'end' | 'cut' | 'stall' | 'error'
  tokens?: { input: number; output: number }
}

export type Model = (messages: readonly ScriptMessage[], tools: readonly string[]) => ScriptStep | null

/**
 * A model that follows a script, step by step; a step may depend on what it received. After the last one it has no
 * response: the fake then rejects the request, which fails the test.
 */
export const scriptModel = (steps: readonly (ScriptStep | Model)[]): Model => {
  const left = [...steps]
  return (messages, tools) => {
    const next = left.shift()
    if (next === undefined) return null
    return typeof next === 'function' ? next(messages, tools) : next
  }
}

export const textsOf = ({ text = [] }: ScriptStep): readonly (string | Promise<unknown>)[] =>
  typeof text === 'string' ? [text] : text
