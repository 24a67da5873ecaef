import { saveFile } from '@stoa/ui/browser/save-file.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { runEach } from '@stoa/ui/request/run-each.ts'
import { formatBytes, formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Download, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { chunksOf, type ImportPlan, invalidFile, MAX_FILE_BYTES, MAX_LINES, planImport } from './import-lines.ts'
import { importSuppressions, SUPPRESSIONS } from './queries.ts'

type Result = { added: number; existing: number; problem: string | undefined; cancelled: boolean }

/** Brings a list of addresses: what it would do is shown first, then the progress, then the result. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const [plan, setPlan] = useState<ImportPlan>()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const run = useImport()
  const ready = plan?.ready.length ?? 0
  const look = (text: string) => {
    const found = planImport(text)
    if (found.isCut) setProblem(`This list has more than ${formatNumber(MAX_LINES)} lines. Import it in parts.`)
    else setPlan(found)
  }
  const another = () => {
    setProblem(undefined)
    setPlan(undefined)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      dismissible={!run.running}
      title="Import suppressions"
      description="Your apps won't be able to send email to these addresses."
      footer={
        run.result ? (
          <>
            {plan && plan.invalid.length > 0 ? <InvalidButton plan={plan} /> : null}
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        ) : (
          <>
            {plan && !run.running ? <Button onClick={another}>Choose another file</Button> : null}
            <Button onClick={run.running ? run.stop : onClose}>Cancel</Button>
            {plan ? null : (
              <Button variant="primary" disabled={typed.trim() === ''} onClick={() => look(typed)}>
                Preview
              </Button>
            )}
            {plan ? (
              <Button variant="primary" loading={run.running} disabled={ready === 0} onClick={() => run.start(plan)}>
                {`Suppress ${formatCount(ready, 'address', 'addresses')}`}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {run.result && plan ? (
        <Outcome plan={plan} result={run.result} />
      ) : run.running ? (
        <Progress label="Importing" done={run.done} total={ready} unit="addresses" />
      ) : plan ? (
        <Preview plan={plan} />
      ) : (
        <Source typed={typed} onTyped={setTyped} problem={problem} onProblem={setProblem} onText={look} />
      )}
    </Dialog>
  )
}

const useImport = () => {
  const queryClient = useQueryClient()
  const [running, setRunning] = useState(false)
  const [done, setDone] = useState(0)
  const [result, setResult] = useState<Result>()
  const stopper = useRef<AbortController>(undefined)
  useEffect(() => () => stopper.current?.abort(), [])
  const start = async (plan: ImportPlan) => {
    const controller = new AbortController()
    stopper.current = controller
    setRunning(true)
    let [added, existing] = [0, 0]
    const ended = await runEach(
      chunksOf(plan.ready),
      async ({ csv, count }) => {
        const answer = await importSuppressions(csv)
        added += answer.added
        existing += answer.existing
        setDone((before) => before + count)
      },
      { signal: controller.signal },
    )
    setResult({ added, existing, problem: ended.failed[0]?.message, cancelled: ended.cancelled })
    setRunning(false)
    await queryClient.invalidateQueries({ queryKey: SUPPRESSIONS })
  }
  return {
    running,
    done,
    result,
    start: (plan: ImportPlan) => void start(plan),
    stop: () => stopper.current?.abort(),
  }
}

type SourceProps = {
  typed: string
  onTyped: (text: string) => void
  problem: string | undefined
  onProblem: (problem: string | undefined) => void
  onText: (text: string) => void
}

const Source = ({ typed, onTyped, problem, onProblem, onText }: SourceProps) => {
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    onProblem(undefined)
    if (file.size > MAX_FILE_BYTES)
      onProblem(`The file is larger than ${formatBytes(MAX_FILE_BYTES)}. Import it in parts.`)
    else onText(await file.text())
  }
  return (
    <div className="flex flex-col gap-4">
      {problem === undefined ? null : <Notice tone="danger">{problem}</Notice>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first */}
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void read(event.dataTransfer.files[0])
        }}
        className="flex flex-col items-center gap-3 rounded-lg border border-line-strong border-dashed bg-sunken px-5 py-8 text-center"
      >
        <FileUp aria-hidden className="size-6 text-faint" />
        <p className="max-w-field text-muted">
          Drop a CSV file exported from another service. We read the columns “email” and “reason”.
        </p>
        <Button onClick={() => input.current?.click()}>Choose file</Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-label="File with addresses"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
      <Field label="Or paste addresses" optional help="One per line.">
        <Textarea
          value={typed}
          rows={4}
          spellCheck={false}
          placeholder={'person@example.org\nother@example.net'}
          onChange={(event) => onTyped(event.target.value)}
        />
      </Field>
    </div>
  )
}

const SHOWN = 6
/** Limit for showing an invalid line, which may be of any length. */
const SHOWN_SIGNS = 200

const Preview = ({ plan }: { plan: ImportPlan }) => {
  const { ready, invalid, repeated } = plan
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Notice
        tone={ready.length === 0 ? 'danger' : 'info'}
        title={ready.length === 0 ? 'No addresses found' : `${formatCount(ready.length, 'address', 'addresses')} found`}
      >
        {repeated > 0 ? `${formatCount(repeated, 'duplicate', 'duplicates')} skipped. ` : ''}
        Nothing has been imported yet.
      </Notice>
      {ready.length > 0 ? <Lines label="First addresses" lines={ready} /> : null}
      {invalid.length > 0 ? (
        <>
          <Notice
            tone="warning"
            title={`${formatCount(invalid.length, 'line without', 'lines without')} an email address`}
            action={<InvalidButton plan={plan} />}
          >
            They won't be imported.
          </Notice>
          <Lines label="Skipped" lines={invalid} />
        </>
      ) : null}
    </div>
  )
}

const Lines = ({ label, lines }: { label: string; lines: ImportPlan['ready'] }) => (
  <div className="min-w-0 overflow-x-auto rounded-lg border border-line">
    <table className="w-full border-collapse text-left text-sm">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-line border-b text-faint text-xs">
          <th scope="col" className="w-14 px-3 py-1.5 text-right font-medium">
            Line
          </th>
          <th scope="col" className="w-1/2 px-3 py-1.5 font-medium">
            {label}
          </th>
          <th scope="col" className="px-3 py-1.5 font-medium">
            Reason
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {lines.slice(0, SHOWN).map(({ line, email, reason }) => (
          <tr key={line}>
            <td className="px-3 py-1.5 text-right text-faint tabular-nums">{line}</td>
            <td className="max-w-60 truncate px-3 py-1.5 text-ink">{email.slice(0, SHOWN_SIGNS)}</td>
            <td className="max-w-60 truncate px-3 py-1.5 text-muted">{reason.slice(0, SHOWN_SIGNS) || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {lines.length > SHOWN ? (
      <p className="border-line border-t px-3 py-1.5 text-faint text-xs">{`and ${formatNumber(lines.length - SHOWN)} more`}</p>
    ) : null}
  </div>
)

const Outcome = ({ plan, result }: { plan: ImportPlan; result: Result }) => {
  const counts = [
    { label: 'Added', value: result.added },
    { label: 'Already suppressed', value: result.existing },
    { label: 'Invalid', value: plan.invalid.length },
  ]
  return (
    <div className="flex flex-col gap-4">
      {result.problem !== undefined ? (
        <Notice tone="danger" title="Import incomplete">
          {result.problem} <TextLink to="/billing">Plan and usage</TextLink> shows your limits. You can safely import
          the same file again.
        </Notice>
      ) : result.cancelled ? (
        <Notice tone="warning" title="Import canceled">
          Addresses already added stay suppressed. You can safely import the same file again.
        </Notice>
      ) : (
        <Notice tone="success" title="Import complete" />
      )}
      <dl className="grid grid-cols-3 gap-3">
        {counts.map(({ label, value }) => (
          <div key={label} className="flex flex-col gap-0.5 rounded-lg border border-line px-3 py-2.5">
            <dt className="text-faint text-xs">{label}</dt>
            <dd className="font-semibold text-lg text-ink tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const InvalidButton = ({ plan }: { plan: ImportPlan }) => (
  <Button
    size="sm"
    icon={<Download />}
    onClick={() => saveFile('not-imported.csv', invalidFile(plan.invalid), 'text/csv')}
  >
    Download
  </Button>
)
