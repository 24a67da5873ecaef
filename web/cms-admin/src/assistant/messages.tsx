import type { Me } from '@stoa/cms-model/accounts.ts'
import type { AssistantMessage, StopReason, TurnEvents, TurnPart } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { MessageSquarePlus, RotateCcw } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Markdown } from './markdown/markdown.tsx'
import { ProposalCard } from './proposals/proposal-card.tsx'
import type { AssistantScope } from './scope.ts'
import { Steps, Visits } from './steps.tsx'
import { type Chat, shownMessages } from './turn/chat.ts'
import type { Conversing, State } from './turn/conversing.ts'
import { useKeepProposals } from './use-chat.ts'

type MessagesProps = { me: Me; state: State; conversing: Conversing; scope: AssistantScope }

/** The questions and answers, the newest at the end. */
export const Messages = ({ me, state, conversing, scope }: MessagesProps) => {
  const { chat, line } = state
  useKeepProposals(useMemo(() => Object.values(chat.proposals), [chat.proposals]))
  const box = useStaysAtEnd(chat)
  const last = chat.messages.at(-1)
  return (
    <div
      ref={box}
      role="log"
      aria-live="off"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-4 py-4"
    >
      <div className="flex min-w-0 flex-col gap-4">
        {line === 'loading' ? <SkeletonText lines={4} label="Loading conversation" /> : null}
        {chat.messages.length === 0 && line === 'idle' ? (
          <Welcome onAsk={(text) => void conversing.send(text, scope.contextWithout(new Set()))} />
        ) : null}
        {shownMessages(chat).map((message) =>
          message.role === 'user' ? (
            <Question key={message.id} message={message} />
          ) : (
            <Answer
              key={message.id}
              me={me}
              message={message}
              visits={chat.visits[message.id]}
              onRetry={
                message === last && line === 'idle'
                  ? () => void conversing.retry(message.id, scope.contextWithout(new Set()))
                  : undefined
              }
            />
          ),
        )}
        <LineState state={state} onReload={() => void conversing.refresh()} />
      </div>
      <Announcements state={state} />
    </div>
  )
}

const IDEAS = [
  'Which articles have no summary?',
  'Shorten the summaries of the three newest articles',
  'Add alt text where it is missing',
] as const

const Welcome = ({ onAsk }: { onAsk: (text: string) => void }) => (
  <div className="flex flex-col gap-3 pt-2">
    <div className="flex items-center gap-2 text-ink">
      <MessageSquarePlus aria-hidden className="size-4 text-accent-ink" />
      <p className="font-medium text-sm">What can I do for you?</p>
    </div>
    <p className="text-muted text-sm">
      I can read your content and propose changes. Nothing changes until you apply it, and I only see what you can see.
    </p>
    <ul className="flex flex-col gap-1.5">
      {IDEAS.map((idea) => (
        <li key={idea}>
          <button
            type="button"
            onClick={() => onAsk(idea)}
            className="w-full rounded-lg border border-line px-3 py-2 text-left text-muted text-sm transition-colors hover:border-line-strong hover:bg-hover hover:text-ink"
          >
            {idea}
          </button>
        </li>
      ))}
    </ul>
  </div>
)

const Question = memo(({ message }: { message: AssistantMessage }) => (
  <article aria-label="You" className="flex min-w-0 flex-col items-end gap-1.5 pl-8">
    <p className="wrap-anywhere max-w-full whitespace-pre-wrap rounded-xl rounded-br-sm bg-accent-soft px-3 py-2 text-ink text-sm">
      {message.text}
    </p>
    {message.masked ? (
      <Notice tone="warning" title="A secret was removed from your message">
        Never share keys or passwords here. Rotate this one where you created it.
      </Notice>
    ) : null}
  </article>
))

type AnswerProps = {
  me: Me
  message: AssistantMessage
  visits: readonly TurnEvents['navigate'][] | undefined
  onRetry: (() => void) | undefined
}

const Answer = memo(({ me, message, visits, onRetry }: AnswerProps) => (
  <article aria-label="Assistant" aria-busy={message.status === 'streaming'} className="flex min-w-0 flex-col gap-3">
    {groupsOf(message.parts).map(([key, group]) => (
      <Group key={key} me={me} group={group} />
    ))}
    {visits ? <Visits visits={visits} /> : null}
    <Ending message={message} onRetry={onRetry} />
  </article>
))

type Part<K extends TurnPart['kind']> = Extract<TurnPart, { kind: K }>
type Parts =
  | { kind: 'text'; part: Part<'text'> }
  | { kind: 'proposal'; part: Part<'proposal'> }
  | { kind: 'steps'; parts: Part<'tool'>[] }

/** Steps that follow each other are shown together. What is at a place stays there while the answer grows. */
const groupsOf = (parts: readonly TurnPart[]): [string, Parts][] => {
  const groups: Parts[] = []
  for (const part of parts) {
    // Its card says more
    if (part.kind === 'tool' && part.state === 'ok' && part.tool.startsWith('propose_')) continue
    const last = groups.at(-1)
    if (part.kind === 'tool' && last?.kind === 'steps') last.parts.push(part)
    else if (part.kind === 'tool') groups.push({ kind: 'steps', parts: [part] })
    else if (part.kind === 'text') groups.push({ kind: 'text', part })
    else groups.push({ kind: 'proposal', part })
  }
  return groups.map((group, index) => [String(index), group])
}

const Group = ({ me, group }: { me: Me; group: Parts }): ReactNode => {
  if (group.kind === 'steps') return <Steps steps={group.parts} />
  if (group.kind === 'text') return <Markdown text={group.part.text} />
  return <ProposalCard me={me} id={group.part.proposalId} />
}

const endings: Record<Exclude<StopReason, 'end'>, string> = {
  stopped: 'You stopped this answer.',
  length: 'The answer reached the length limit and is incomplete.',
  max_steps: 'The assistant reached its step limit. Ask it to continue.',
  refused: 'The provider declined to answer.',
}

/** How an answer ended, unless it simply did. */
const Ending = ({ message, onRetry }: { message: AssistantMessage; onRetry: (() => void) | undefined }) => {
  const { status, stop, error, text } = message
  const retry = onRetry ? (
    <Button size="sm" icon={<RotateCcw />} onClick={onRetry}>
      Retry
    </Button>
  ) : undefined
  if (status === 'failed')
    return (
      <Notice
        tone="danger"
        title={text === '' ? 'No answer' : 'Incomplete answer'}
        action={error?.retryable === false ? undefined : retry}
      >
        <p>{error?.message ?? 'The answer was interrupted.'}</p>
        {error?.providerText ? <p className="wrap-anywhere mt-1 text-xs">Provider: {error.providerText}</p> : null}
      </Notice>
    )
  if (stop === null || stop === 'end') return null
  return (
    <div className="flex items-center gap-2 text-faint text-xs">
      <span className="min-w-0 flex-1">{endings[stop]}</span>
      {stop === 'max_steps' ? null : retry}
    </div>
  )
}

const LineState = ({ state, onReload }: { state: State; onReload: () => void }) => {
  const { line, chat } = state
  if (line === 'lost')
    return (
      <Notice
        tone="warning"
        title="Connection lost"
        action={
          <Button size="sm" onClick={onReload}>
            Reload
          </Button>
        }
      >
        The assistant keeps working. Its answer appears here when you're back online.
      </Notice>
    )
  if (line !== 'sending' && line !== 'answering') return null
  return (
    <p className="flex items-center gap-2 text-faint text-xs">
      <Spinner /> {chat.step && chat.step.n > 1 ? `Working: step ${chat.step.n} of up to ${chat.step.max}` : 'Thinking'}
    </p>
  )
}

/** So near to the end counts as being there. */
const NEAR_PX = 80

/** Follows an answer as it grows, unless the person scrolled back to read. */
const useStaysAtEnd = (chat: Chat) => {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new in it makes it longer
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [chat])
  return box
}

/** Announces the state of an answer to screen readers; its text is in the log, to be read at leisure. */
const Announcements = ({ state }: { state: State }) => (
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
