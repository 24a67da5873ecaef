import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { Switch } from '@stoa/ui/form/switch.tsx'
import '@stoa/ui/text/written-text.css'
import type { FieldEvents } from '@stoa/cms-model/assistant.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useId, useMemo, useState } from 'react'
import { HtmlChange } from '../diff/diff-html.tsx'
import { LinesChange, TextChange } from '../diff/diff-text.tsx'
import { beforeOf, isBlank, limitOf, type Subject } from './subject.ts'
import type { SuggestionState } from './use-suggestion.ts'

type SuggestionViewProps = { subject: Subject; state: SuggestionState }

/** The suggestion as it comes, then as it would be, or what it would change. */
export const SuggestionView = ({ subject, state }: SuggestionViewProps) => {
  const [isDiff, setDiff] = useState(false)
  const id = useId()
  if (state.step === 'idle') return null
  const canCompare = state.step === 'done' && subject.fieldType !== 'select' && !isBlank(subject)
  return (
    <section aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-2.5">
      <header className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 id={`${id}-title`} className="font-medium text-ink">
          Suggestion
        </h3>
        <span role="status" className="flex items-center gap-2">
          <StepWords state={state} />
        </span>
        <span className="flex-1" />
        {canCompare ? (
          <span className="flex items-center gap-2">
            <label htmlFor={`${id}-diff`} className="text-muted">
              Show changes
            </label>
            <Switch id={`${id}-diff`} checked={isDiff} onChecked={setDiff} />
          </span>
        ) : null}
      </header>
      {state.step === 'failed' ? <Notice tone="danger">{state.problem}</Notice> : null}
      <div className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2.5 text-ink empty:hidden">
        {state.step === 'done' ? (
          <Done subject={subject} value={state.value} isDiff={canCompare && isDiff} />
        ) : (
          <Coming subject={subject} text={state.text} />
        )}
      </div>
      {state.step === 'done' && state.flags.length > 0 ? (
        <Notice tone="warning" title="Check before you use it">
          <ul className="list-disc pl-4">
            {state.flags.map((flag) => (
              <li key={flag}>{flagWords(flag, limitOf(subject))}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </section>
  )
}

const StepWords = ({ state }: { state: SuggestionState }) => {
  if (state.step === 'writing')
    return (
      <>
        <Spinner className="text-faint" />
        <span className="text-muted">Writing…</span>
      </>
    )
  if (state.step === 'done') return <span className="sr-only">Ready</span>
  return state.step === 'idle' || state.text === '' ? null : <Badge tone="draft">Incomplete</Badge>
}

/** Half a tag is no text. */
const Coming = ({ subject, text }: { subject: Subject; text: string }) => {
  const isHtml = subject.fieldType === 'richtext' || subject.fieldType === 'formatted'
  const shown = isHtml ? textOfHtml(text.replace(/<[^>]*$/, '')) : text
  return shown === '' ? null : <p className="whitespace-pre-wrap break-words">{shown}</p>
}

const Done = ({ subject, value, isDiff }: { subject: Subject; value: string; isDiff: boolean }) => {
  const isHtml = subject.fieldType === 'richtext' || subject.fieldType === 'formatted'
  const html = useMemo(() => (isHtml ? (cleanHtml(value) ?? '') : ''), [isHtml, value])
  if (isDiff) {
    const sides = { before: beforeOf(subject), after: value }
    if (subject.fieldType === 'richtext') return <HtmlChange {...sides} />
    return subject.fieldType === 'markdown' ? <LinesChange {...sides} /> : <TextChange {...sides} />
  }
  if (!isHtml) return <p className="whitespace-pre-wrap break-words">{value}</p>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the policy of stored HTML has gone over it
  return <div className="written-text [&>*+*]:mt-2" dangerouslySetInnerHTML={{ __html: html }} />
}

type Flag = FieldEvents['done']['flags'][number]

const words: Readonly<Record<Exclude<Flag, 'shortened'>, string>> = {
  formatting: 'Formatting changed',
  numbers: 'Numbers are different',
  links: 'Links are different',
  emails: 'Email addresses are different',
  placeholders: 'Placeholders such as {name} are different',
}

/** What to look at before a suggestion is used. */
const flagWords = (flag: Flag, limit: number | undefined): string => {
  if (flag !== 'shortened') return words[flag]
  return limit === undefined ? 'Longer than the limit' : `Longer than ${formatNumber(limit)} characters`
}
