import { json as jsonLanguage } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { keymap, lineNumbers } from '@codemirror/view'
import { json } from '@stoa/cms-model/fields/types/json.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { useCodeView } from '@stoa/ui/code/use-code-view.ts'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { sentence } from '@stoa/ui/request/request.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { WandSparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { EditorOf } from '../editor.ts'
import { useFieldControl } from '../field-frame.tsx'
import { type JsonProblem, readJson, writeJson } from './json-text.ts'

/**
 * A JSON document as text. The value changes only while the text is JSON that can be stored; until then the problem is
 * shown, the text area is `aria-invalid`, the root has `data-invalid-draft` and leaving the page asks first.
 */
export const JsonEditor: EditorOf<'json'> = ({ value, onChange, path, disabled }) => {
  const control = useFieldControl()
  const { text, problem, type, format } = useJsonText(value, onChange, path)
  const problemId = `${control.id}-json`
  const { host, view } = useCodeView({
    text,
    onText: type,
    disabled,
    extensions: codeExtensions,
    attributes: {
      ...control,
      'aria-invalid': problem ? true : control['aria-invalid'],
      'aria-describedby': cx(problem && problemId, control['aria-describedby']) || undefined,
    },
  })
  useEffect(() => {
    if (view) view.dispatch(setDiagnostics(view.state, problem ? [diagnosticOf(problem, view.state.doc.length)] : []))
  }, [view, problem])
  useUnsavedChanges(problem !== undefined)
  return (
    <div data-invalid-draft={problem ? '' : undefined} className="flex min-w-0 flex-col gap-1.5">
      <div
        className={cx(
          'control overflow-hidden',
          problem && 'border-failed-mark',
          disabled && 'bg-sunken text-faint shadow-none',
        )}
      >
        <div ref={host} className="max-h-128 min-h-32 overflow-auto" />
        <div className="flex items-center justify-between gap-2 border-line border-t bg-sunken px-2 py-1">
          <span className="text-faint text-xs">
            {text === '' ? 'Empty' : problem ? 'Not valid yet' : `Valid · ${lineCount(text)}`}
          </span>
          <Button
            size="sm"
            variant="ghost"
            icon={<WandSparkles />}
            disabled={disabled || problem !== undefined || text === ''}
            onClick={format}
          >
            Format
          </Button>
        </div>
      </div>
      {problem ? (
        <div aria-live="polite">
          <FieldError id={problemId}>
            {problem.line > 0 ? `Line ${problem.line}, column ${problem.column}: ` : ''}
            {problem.message} Fix this to save it.
          </FieldError>
        </div>
      ) : null}
    </div>
  )
}

/** The text is the person's; it is written anew only when the value became another one than the text says. */
const useJsonText = (value: unknown, onChange: (value: unknown) => void, path: string) => {
  const [text, setText] = useState(() => writeJson(value))
  const [said, setSaid] = useState(() => JSON.stringify(value))
  const [problem, setProblem] = useState<JsonProblem>()
  const given = JSON.stringify(value)
  if (given !== said) {
    setSaid(given)
    setText(writeJson(value))
    setProblem(undefined)
  }
  const type = (next: string): void => {
    setText(next)
    const reading = readJson(next)
    const found = reading.problem ?? storeProblem(reading.value, path)
    setProblem(found)
    if (found || reading.problem) return
    setSaid(JSON.stringify(reading.value))
    if (JSON.stringify(reading.value) !== given) onChange(reading.value)
  }
  const format = (): void => {
    const reading = readJson(text)
    if (!reading.problem) setText(writeJson(reading.value))
  }
  return { text, problem, type, format }
}

/** Too large, too deep or not storable: no place in the text is to blame. */
const storeProblem = (value: unknown, path: string): JsonProblem | undefined => {
  const [first] = value === null ? [] : json.check(value, {}, path)
  return first ? { at: 0, line: 0, column: 0, message: sentence(`the document ${first.message}`) } : undefined
}

const diagnosticOf = ({ at, line, message }: JsonProblem, length: number): Diagnostic => {
  const from = Math.min(at, Math.max(0, length - 1))
  return { from, to: line === 0 ? from : Math.min(from + 1, length), severity: 'error', message }
}

const codeExtensions = () => [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  jsonLanguage(),
  indentOnInput(),
  bracketMatching(),
  keymap.of(foldKeymap),
]

const lineCount = (text: string): string => {
  const count = text.split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}
