export type StreamEvent = { event: string; data: string }

/** The events of a stream as they come (WHATWG HTML §9.2.6); an event that did not end is none. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield* eventOf(block)
    }
  } finally {
    // Whoever stops reading wants no more of it
    await reader.cancel().catch(() => undefined)
  }
}

function* eventOf(block: string): Generator<StreamEvent> {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
  if (data.length > 0) yield { event, data: data.join('\n') }
}
