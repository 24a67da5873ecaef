import type { Ask, BridgeError, FrameContext, ToFrame } from '@stoa/cms-plugin/bridge-protocol.ts'
import { readMessage } from './messages.ts'

/** More than a person can cause by typing and pressing. */
const MESSAGES_A_SECOND = 50
/** The largest number of requests that can wait for an answer. */
const MOST_OPEN = 20

export type BridgeHost = {
  /** Does what was asked; what it throws is sent to the frame by `explain`. */
  answer: (ask: Ask) => Promise<unknown>
  explain: (error: unknown) => BridgeError
  onHeight: (height: number) => void
  /** The frame says what no frame says, or too much: it is not listened to any more. */
  onBroken: (reason: string) => void
  now: () => number
}

export type Bridge = { sendContext: (context: FrameContext) => void; close: () => void }

type Port = Pick<MessagePort, 'postMessage' | 'close'> & { onmessage: ((event: MessageEvent) => void) | null }

/** The admin's end of the channel to a plugin's frame. Nothing that comes through it is believed. */
export const openBridge = (port: Port, host: BridgeHost): Bridge => {
  let isOpen = true
  let open = 0
  let second = 0
  let count = 0
  const post = (message: ToFrame) => {
    if (isOpen) port.postMessage(message)
  }
  const close = () => {
    isOpen = false
    port.onmessage = null
    port.close()
  }
  const breakOff = (reason: string) => {
    close()
    host.onBroken(reason)
  }
  const isFlood = (): boolean => {
    const at = Math.floor(host.now() / 1_000)
    if (at !== second) [second, count] = [at, 0]
    count += 1
    return count > MESSAGES_A_SECOND
  }
  const answer = async ({ id, ...ask }: Ask & { id: number }) => {
    open += 1
    try {
      post({ answer: id, value: await host.answer(ask) })
    } catch (error) {
      post({ answer: id, error: host.explain(error) })
    } finally {
      open -= 1
    }
  }
  port.onmessage = ({ data }) => {
    if (!isOpen) return
    if (isFlood()) return breakOff('It sent too many messages.')
    const message = readMessage(data)
    if (message === undefined) return breakOff('It sent an unknown message.')
    if ('tell' in message) return host.onHeight(message.height)
    if (open >= MOST_OPEN)
      return post({ answer: message.id, error: { status: 429, code: 'BUSY', message: 'Too many requests at once' } })
    void answer(message)
  }
  return { sendContext: (context) => post({ tell: 'context', context }), close }
}
