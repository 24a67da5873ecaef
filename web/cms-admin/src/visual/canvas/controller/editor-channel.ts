import { envelope, type FromCanvas, type FromEditor, readFromEditor } from '../protocol.ts'

/** Typing and moving the pointer stay far below it; more would only be a fault, and must not hold up the editor. */
const MAX_PER_SECOND = 200

export type Say = (message: FromCanvas) => void

/** The line to the editor, which is the parent and knows the channel. */
export const openEditorChannel = (channel: string, onMessage: (message: FromEditor) => void): Say => {
  let second = 0
  let sent = 0
  addEventListener('message', (event) => {
    if (event.source !== parent) return
    const message = readFromEditor(event.data, channel)
    if (message) onMessage(message)
  })
  return (message) => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) [second, sent] = [now, 0]
    sent += 1
    // The canvas has an opaque origin and cannot name the editor's; the messages hold what the page shows.
    if (sent <= MAX_PER_SECOND) parent.postMessage(envelope(message, channel), '*')
  }
}

/** Calls once in a frame, however often it is asked. */
export const oncePerFrame = (run: () => void): (() => void) => {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      run()
    })
  }
}
