import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete'
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage } from '@codemirror/language'
import { sieve } from '@codemirror/legacy-modes/mode/sieve'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { FilterValidation } from '@stoa/mail-model/filters.ts'
import { sieveExtensions } from '@stoa/mail-model/sieve-extensions.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { useCodeView } from '@stoa/ui/code/use-code-view.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { sentence } from '@stoa/ui/request/request.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { CircleAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { missingExtension, type ScriptProblem, spanOf, withRequire } from './script-problems.ts'
import { sieveWords } from './sieve-words.ts'

type SieveEditorProps = {
  text: string
  onText: (text: string) => void
  validate: (script: string, signal: AbortSignal) => Promise<FilterValidation>
  /** The errors that the service returned on saving. */
  refused: readonly ScriptProblem[]
}

/** A script as text. The service looks at it whenever the typing pauses, and what is wrong is shown in its place. */
export const SieveEditor = ({ text, onText, validate, refused }: SieveEditorProps) => {
  const id = useId()
  const checked = useValidation(text, validate)
  const problems = refused.length > 0 ? refused : (checked?.errors ?? NONE)
  const { host, view } = useCodeView({
    text,
    onText,
    disabled: false,
    extensions: codeExtensions,
    attributes: {
      'aria-label': 'Sieve script',
      'aria-invalid': problems.length > 0 ? true : undefined,
      'aria-describedby': `${id}-state`,
    },
  })
  useEffect(() => {
    if (!view) return
    const shown = view.state.doc.toString()
    const found = problems.map((problem) => ({
      ...spanOf(shown, problem),
      severity: 'error' as const,
      message: sentence(problem.message),
    }))
    view.dispatch(setDiagnostics(view.state, found))
  }, [view, problems])
  const goTo = (problem: ScriptProblem) => {
    if (!view) return
    const { from } = spanOf(view.state.doc.toString(), problem)
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    view.focus()
  }
  return (
    <div className={cx('control overflow-hidden', problems.length > 0 && 'border-failed-mark')}>
      <div ref={host} className="max-h-128 min-h-64 overflow-auto" />
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-t bg-sunken px-3 py-1.5">
        <p id={`${id}-state`} role="status" className="text-faint text-xs">
          {stateOf(text, checked, problems)}
        </p>
        <Extensions names={checked?.extensions ?? []} />
      </div>
      {problems.length > 0 ? (
        <ProblemList
          problems={problems}
          onChoose={goTo}
          onRequire={(extension) => onText(withRequire(text, extension))}
        />
      ) : null}
    </div>
  )
}

const NONE: readonly ScriptProblem[] = []
/** Long enough for the next letter. */
const PAUSE_MS = 400

/** Validates the text on the service, a moment after the last change. */
const useValidation = (text: string, validate: SieveEditorProps['validate']): FilterValidation | undefined => {
  const [checked, setChecked] = useState<FilterValidation>()
  useEffect(() => {
    const gaveUp = new AbortController()
    const timer = setTimeout(() => {
      // Saving says what is wrong if nobody could be asked now
      validate(text, gaveUp.signal).then(setChecked, () => setChecked(undefined))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      gaveUp.abort()
    }
  }, [text, validate])
  return checked
}

const stateOf = (text: string, checked: FilterValidation | undefined, problems: readonly ScriptProblem[]): string => {
  const lines = formatCount(text.split('\n').length, 'line', 'lines')
  if (problems.length > 0) return formatCount(problems.length, 'problem', 'problems')
  return checked ? `Valid · ${lines}` : lines
}

const Extensions = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : (
    <ul aria-label="Extensions used" className="flex min-w-0 flex-wrap gap-1">
      {names.map((name) => (
        <li key={name}>
          <Badge>{name}</Badge>
        </li>
      ))}
    </ul>
  )

type ProblemListProps = {
  problems: readonly ScriptProblem[]
  onChoose: (problem: ScriptProblem) => void
  onRequire: (extension: string) => void
}

const ProblemList = ({ problems, onChoose, onRequire }: ProblemListProps) => (
  <ul aria-label="Problems" className="divide-y divide-line border-line border-t">
    {problems.map((problem) => {
      const missing = missingExtension(problem)
      return (
        <li key={`${problem.line} ${problem.column} ${problem.message}`} className="flex items-center gap-2 pr-2">
          <button
            type="button"
            onClick={() => onChoose(problem)}
            className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2 px-3 py-1.5 text-left text-xs outline-offset-[-2px] hover:bg-hover"
          >
            <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-failed-mark" />
            <span className="shrink-0 text-muted tabular-nums">
              Line {problem.line}, column {problem.column}
            </span>
            <span className="min-w-0 break-words text-ink">{sentence(problem.message)}</span>
          </button>
          {missing === undefined ? null : (
            <Button size="sm" variant="ghost" onClick={() => onRequire(missing)}>
              Require {missing}
            </Button>
          )}
        </li>
      )
    })}
  </ul>
)

const editorLook = EditorView.theme({
  '.cm-content, .cm-gutter': { minHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-xs)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--color-accent-soft)',
    color: 'var(--color-ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--color-accent-ink)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--color-muted)' },
})

const codeExtensions = () => [
  editorLook,
  lineNumbers(),
  lintGutter(),
  StreamLanguage.define(sieve),
  indentUnit.of('  '),
  indentOnInput(),
  bracketMatching(),
  autocompletion({ override: [complete], icons: false }),
  keymap.of([...completionKeymap, ...lintKeymap]),
]

/** Words of the language, and inside of `require` the extensions. */
const complete = (context: CompletionContext) => {
  const required = context.matchBefore(/require\s+\[?[^\];]*"[\w;-]*/i)
  if (required) {
    const from = required.from + required.text.lastIndexOf('"') + 1
    return { from, options: sieveExtensions.map((label) => ({ label, type: 'text' })) }
  }
  const word = context.matchBefore(/:?\w+|:/)
  if (!word && !context.explicit) return null
  return { from: word?.from ?? context.pos, options: wordOptions }
}

const wordOptions = sieveWords.map(({ word, extension }) => ({
  label: word,
  type: 'keyword',
  ...(extension === undefined ? {} : { detail: extension }),
}))
