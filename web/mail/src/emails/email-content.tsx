import type { Email } from '@stoa/mail-model/emails.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { type Tab, Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { FileClock, Paperclip } from 'lucide-react'
import { EmailFrame } from './email-frame.tsx'
import { viewPath } from './queries.ts'
import { subjectOf } from './recipients.ts'

type View = 'preview' | 'text' | 'html' | 'headers' | 'json'

/** The bodies of a mail and everything else that was sent with it. */
export const EmailContent = ({ email }: { email: Email }) => {
  const url = useUrlState()
  const tabs = tabsOf(email)
  const first = tabs[0]?.value ?? 'json'
  const chosen = tabs.find(({ value }) => value === url.get('tab'))?.value ?? first
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Tabs
        label="Content"
        value={chosen}
        onValue={(value) => url.set({ tab: value === first ? '' : value })}
        tabs={tabs}
      />
      {email.attachments.length > 0 ? <Attachments attachments={email.attachments} /> : null}
    </div>
  )
}

const tabsOf = (email: Email): readonly Tab<View>[] => {
  const { html, text, headers } = email
  const names = Object.entries(headers)
  const isForgotten = html === null && text === null
  return [
    ...(isForgotten ? [{ value: 'preview' as const, label: 'Preview', content: <Forgotten /> }] : []),
    ...(html === null
      ? []
      : [
          {
            value: 'preview' as const,
            label: 'Preview',
            content: <EmailFrame src={viewPath(email.id)} title={`Preview of ${subjectOf(email)}`} />,
          },
        ]),
    ...(text === null || text === ''
      ? []
      : [{ value: 'text' as const, label: 'Plain text', content: <CodeBlock label="Plain text" code={text} wrap /> }]),
    ...(html === null
      ? []
      : [{ value: 'html' as const, label: 'HTML', content: <CodeBlock label="HTML" code={html} wrap /> }]),
    ...(names.length === 0
      ? []
      : [
          {
            value: 'headers' as const,
            label: 'Headers',
            count: names.length,
            content: <CodeBlock label="Custom headers" code={names.map((pair) => pair.join(': ')).join('\n')} wrap />,
          },
        ]),
    {
      value: 'json',
      label: 'JSON',
      content: <CodeBlock label="API response" code={JSON.stringify(email, null, 2)} wrap />,
    },
  ]
}

const Forgotten = () => (
  <EmptyState icon={<FileClock />} title="Content no longer available" className="rounded-xl border border-line">
    Bodies are kept for 30 days. Recipients and events are kept.
  </EmptyState>
)

const Attachments = ({ attachments }: { attachments: Email['attachments'] }) => (
  <Panel title="Attachments" flush>
    <ul className="divide-y divide-line">
      {attachments.map((attachment, index) => (
        // Two may have the same name
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
        <li key={`${index} ${attachment.filename}`} className="flex items-center gap-3 px-5 py-2.5 text-sm">
          <Paperclip aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="min-w-0 flex-1 truncate text-ink">{attachment.filename}</span>
          <span className="truncate text-faint text-xs phone:hidden">
            {attachment.content_type}
            {attachment.content_id === null ? '' : `, inline as cid:${attachment.content_id}`}
          </span>
          <span className="shrink-0 text-muted tabular-nums">{formatBytes(attachment.size_bytes)}</span>
        </li>
      ))}
    </ul>
  </Panel>
)
