import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { openStream, type Stream, type StreamListener, type StreamState } from './stream.ts'
import { holdLock } from './tab-locks.ts'

/** Messages between tabs. */
type Word =
  | { kind: 'event'; event: MailboxEvent }
  | { kind: 'state'; state: StreamState }
  | { kind: 'missed' | 'refused' | 'hello' | 'retry' }

const PREFIX = 'stoa-mail:stream:'

/**
 * One line for all tabs of a browser: over HTTP/1.1 it opens six to a service, and with as many tabs nothing else would
 * get through. The tab that has the lock listens and passes on what it receives; when it closes, another takes its place.
 * Tabs of another mailbox, signed in to later, have a line of their own.
 */
export const openSharedStream = (mailboxId: string, listener: StreamListener): Stream => {
  if (!('locks' in navigator)) return openStream(listener)
  const name = PREFIX + mailboxId
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let own: Stream | undefined
  let state: StreamState = 'connecting'
  let isLate = false
  const publish = (word: Word) => {
    take(word, listener)
    channel.postMessage(word)
  }
  channel.addEventListener('message', ({ data: word }: MessageEvent<Word>) => {
    if (!own) {
      isLate = true
      take(word, listener)
    } else if (word.kind === 'hello') channel.postMessage({ kind: 'state', state } satisfies Word)
    else if (word.kind === 'retry' && state === 'broken') own.retry()
  })
  const listen = () => {
    const passOn: StreamListener = {
      onEvent: (event) => publish({ kind: 'event', event }),
      onState: (next) => {
        state = next
        publish({ kind: 'state', state })
      },
      onMissed: () => publish({ kind: 'missed' }),
      onRefused: () => publish({ kind: 'refused' }),
    }
    own = openStream(passOn, isLate)
  }
  void holdLock(name, 'exclusive', leaving.signal, listen)
  channel.postMessage({ kind: 'hello' } satisfies Word)
  return {
    retry: () => (own ? own.retry() : channel.postMessage({ kind: 'retry' } satisfies Word)),
    close: () => {
      own?.close()
      leaving.abort()
      channel.close()
    },
  }
}

const take = (word: Word, { onEvent, onState, onMissed, onRefused }: StreamListener): void => {
  if (word.kind === 'event') onEvent(word.event)
  if (word.kind === 'state') onState(word.state)
  if (word.kind === 'missed') onMissed()
  if (word.kind === 'refused') onRefused()
}
