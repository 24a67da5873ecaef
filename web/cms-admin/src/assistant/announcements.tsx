import { formatCount } from '@stoa/ui/format.ts'
import type { State } from './turn/conversing.ts'

/** Tells screen readers how an answer stands; its text is in the log, to be read at leisure. */
export const Announcements = ({ state }: { state: State }) => (
  <p role="status" className="sr-only">
    {wordsFor(state)}
  </p>
)

const wordsFor = ({ line, chat }: State): string => {
  if (line === 'lost') return 'Connection lost'
  if (line === 'sending' || line === 'answering') return 'The assistant is answering'
  const last = chat.messages.at(-1)
  if (last?.role !== 'assistant') return ''
  if (last.status === 'failed') return 'The answer failed'
  if (last.status === 'stopped') return 'The answer was stopped'
  const count = last.parts.filter(({ kind }) => kind === 'proposal').length
  return count === 0
    ? 'The answer is complete'
    : `The answer is complete, with ${formatCount(count, 'proposal', 'proposals')}`
}
