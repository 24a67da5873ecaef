import type { Activity } from '@stoa/mail-model/activity.ts'
import type { Address } from '@stoa/mail-model/addresses.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Timeline, type TimelineStep } from '@stoa/ui/display/timeline.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { formatAbsolute, formatBytes } from '@stoa/ui/text/format.ts'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { activityIcons } from './activity-icons.ts'
import { describeActivity, hintFor, titleOf } from './activity-words.ts'

type ActivityDialogProps = {
  line: Activity
  /** Everything that is known of the same mail, oldest first; the line is among them. */
  related: readonly Activity[]
  address: Address
  onClose: () => void
}

/** Everything that is known about one line of the trace. */
export const ActivityDialog = ({ line, related, address, onClose }: ActivityDialogProps) => {
  const url = useUrlState()
  const { tone, word, sentence } = describeActivity(line, address.email)
  const hint = hintFor(line)
  const about = line.message_id ?? ''
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={<span className="wrap-anywhere">{titleOf(line)}</span>}
      description={sentence}
      footer={
        <>
          {about === '' ? null : (
            <Button icon={<Search />} onClick={() => url.set({ event: '', q: about, kind: '', direction: '' })}>
              Show all activity for this message
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        {hint === undefined ? null : <Notice tone="info">{hint}</Notice>}
        <Facts
          facts={[
            { label: 'Status', value: <Status tone={tone}>{word}</Status> },
            { label: 'Time', value: formatAbsolute(new Date(line.created_at)) },
            ...fact('From', line.from === '' ? 'Empty (delivery report)' : line.from),
            ...fact(
              'To',
              line.to === address.email || line.to === null ? line.to : `${line.to} (alias of ${address.email})`,
            ),
            ...fact('Size', line.size_bytes === null ? null : formatBytes(line.size_bytes)),
            ...fact(line.direction === null ? 'IP address' : 'Remote server', line.remote_ip),
            ...fact('Message-ID', line.message_id === null ? null : <MessageId id={line.message_id} />),
          ]}
        />
        {related.length > 1 ? <WayOfMail lines={related} own={address.email} /> : null}
        {line.result === null || line.result === '' ? null : (
          <CodeBlock label={line.direction === 'out' ? "Remote server's reply" : 'Result'} code={line.result} wrap />
        )}
      </div>
    </Dialog>
  )
}

const WayOfMail = ({ lines, own }: { lines: readonly Activity[]; own: string }) => (
  <section className="flex flex-col gap-2.5">
    <h3 className="font-medium text-ink text-sm">Timeline</h3>
    <Timeline label="Timeline" steps={lines.map((line) => stepOf(line, own))} />
  </section>
)

const stepOf = (line: Activity, own: string): TimelineStep => {
  const { tone, word, sentence } = describeActivity(line, own)
  const Icon = activityIcons[line.type]
  const at = <RelativeTime at={line.created_at} />
  return { key: line.id, tone, icon: <Icon />, title: word, at, children: sentence }
}

const fact = (label: string, value: ReactNode): readonly { label: string; value: ReactNode }[] =>
  value === null || value === '' ? [] : [{ label, value }]

const MessageId = ({ id }: { id: string }) => (
  <span className="flex min-w-0 items-start gap-1">
    <code className="min-w-0 break-all pt-1 font-mono text-xs">{id}</code>
    <CopyButton text={id} label="Copy Message-ID" iconOnly />
  </span>
)
