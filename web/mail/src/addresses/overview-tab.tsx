import type { Address, AddressFolder } from '@stoa/mail-model/addresses.ts'
import type { Digest } from '@stoa/mail-model/digest.ts'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Slider } from '@stoa/ui/form/slider.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DigestField } from '../senders/digest-field.tsx'
import { QUOTA_PROBLEM } from './new-address-dialog.tsx'
import { type AddressChanges, foldersQuery, updateAddress } from './queries.ts'
import { describeUse, type QuotaText, quotaText, readQuota } from './quota.ts'
import { QuotaField } from './quota-field.tsx'
import { describeThreshold, SPAM_SCALE } from './spam.ts'
import { useAddressChange, useKeepAddress } from './use-address-change.ts'

export const OverviewTab = ({ address }: { address: Address }) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    <div className="flex min-w-0 flex-col gap-4">
      <MailboxPanel address={address} />
      <SwitchesPanel address={address} />
    </div>
    <div className="flex min-w-0 flex-col gap-4">
      <SettingsPanel address={address} />
      <Folders address={address} />
    </div>
  </div>
)

const MailboxPanel = ({ address }: { address: Address }) => {
  const use = describeUse(address.used_bytes, address.quota_bytes)
  return (
    <Panel title="Mailbox">
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <span className="flex flex-wrap items-baseline justify-between gap-2 text-sm">
            <span className="font-medium text-ink tabular-nums">{use}</span>
            <span className="text-faint text-xs">
              {address.quota_bytes === null
                ? 'No limit'
                : `${formatNumber(Math.round((address.used_bytes / Math.max(1, address.quota_bytes)) * 100))} % used`}
            </span>
          </span>
          {address.quota_bytes === null ? null : (
            <Meter label="Storage" value={address.used_bytes} max={address.quota_bytes} text={use} />
          )}
        </div>
        <Facts
          facts={[
            { label: 'Messages', value: formatNumber(address.messages_count) },
            { label: 'Aliases', value: address.aliases.length === 0 ? 'None' : formatNumber(address.aliases.length) },
            { label: 'Forwarding', value: address.forward_to.join(', ') || 'None' },
            { label: 'Filters', value: <TextLink to={`/filters?for=${address.id}`}>View filters</TextLink> },
            { label: 'Recovery address', value: address.recovery_email ?? 'None' },
            {
              label: 'Last sign-in',
              value: address.last_login_at === null ? 'Never' : <RelativeTime at={address.last_login_at} />,
            },
            { label: 'Created', value: <RelativeTime at={address.created_at} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

const switches = [
  {
    name: 'enabled',
    label: 'Address enabled',
    help: 'When off, mail is rejected and nobody can sign in. Existing mail is kept.',
  },
  {
    name: 'send_enabled',
    label: 'Allow sending',
    help: 'When off, this address can only receive mail.',
  },
  {
    name: 'require_app_password',
    label: 'Require app passwords',
    help: 'Mail apps need an app password; the mailbox password only works in webmail. Create app passwords first.',
  },
] as const

/** Each acts at once. */
const SwitchesPanel = ({ address }: { address: Address }) => {
  const change = useAddressChange()
  const pending: AddressChanges = change.isPending ? change.variables.changes : {}
  return (
    <Panel title="Access">
      <div className="flex flex-col gap-5">
        {switches.map(({ name, label, help }) => (
          <SwitchField
            key={name}
            label={label}
            help={help}
            checked={pending[name] ?? address[name]}
            onChecked={(checked) => change.mutate({ address, changes: { [name]: checked } })}
          />
        ))}
      </div>
    </Panel>
  )
}

type Values = { name: string; quota_bytes: QuotaText; spam_threshold: number; digest: Digest }

const valuesOf = (address: Address): Values => ({
  name: address.name ?? '',
  quota_bytes: quotaText(address.quota_bytes),
  spam_threshold: address.spam_threshold,
  digest: address.digest,
})

const SettingsPanel = ({ address }: { address: Address }) => {
  const keep = useKeepAddress()
  const [base, setBase] = useState(valuesOf(address))
  const form = useForm<Values>({
    initial: base,
    validate: (values) => (readQuota(values.quota_bytes) === undefined ? { quota_bytes: QUOTA_PROBLEM } : {}),
    onSubmit: async (values) => {
      const saved = await updateAddress(address.id, changesOf(changedMembers(values, base)))
      keep(saved)
      setBase(valuesOf(saved))
      toast({ tone: 'success', title: `${saved.email} saved` })
      return valuesOf(saved)
    },
  })
  const { name, meaning } = describeThreshold(form.values.spam_threshold)
  return (
    <Panel title="Settings">
      <Form form={form}>
        <Field label="Name" optional error={form.errors.name} help="Recipients see this name next to the address.">
          <Input {...form.text('name')} autoComplete="off" placeholder="Ada Lovelace" />
        </Field>
        <QuotaField
          value={form.values.quota_bytes}
          onValue={(quota) => form.set({ quota_bytes: quota })}
          error={form.errors.quota_bytes}
        />
        <Field
          label="Spam filter"
          error={form.errors.spam_threshold}
          help={meaning}
          action={
            <span className="text-muted tabular-nums">
              {name} · {formatNumber(form.values.spam_threshold)} points
            </span>
          }
        >
          <Slider
            min={SPAM_SCALE.min}
            max={SPAM_SCALE.max}
            step={SPAM_SCALE.step}
            value={form.values.spam_threshold}
            valueText={`${name}, ${formatNumber(form.values.spam_threshold)} points`}
            onValue={(threshold) => form.set({ spam_threshold: threshold })}
          />
          <span aria-hidden className="-mt-1 flex justify-between text-faint text-xs">
            <span>Strict</span>
            <span>Lenient</span>
          </span>
        </Field>
        <DigestField value={form.values.digest} onValue={(digest) => form.set({ digest })} error={form.errors.digest} />
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}

const changesOf = ({
  name,
  quota_bytes: quota,
  spam_threshold: threshold,
  digest,
}: Partial<Values>): AddressChanges => ({
  ...(name === undefined ? {} : { name: name.trim() || null }),
  ...(quota === undefined ? {} : { quota_bytes: readQuota(quota) ?? null }),
  ...(threshold === undefined ? {} : { spam_threshold: threshold }),
  ...(digest === undefined ? {} : { digest }),
})

/** The order that people know from their mail program. */
const ROLES = ['inbox', 'drafts', 'sent', 'archive', 'snoozed', 'junk', 'trash']

const Folders = ({ address }: { address: Address }) => {
  const query = useQuery(foldersQuery(address.id))
  const rank = ({ role }: AddressFolder): number => (role && ROLES.includes(role) ? ROLES.indexOf(role) : ROLES.length)
  const rows = query.data?.data.toSorted((a, b) => rank(a) - rank(b))
  return (
    <Panel title="Folders" flush>
      {rows ? (
        <table className="w-full border-collapse text-left text-sm">
          <caption className="sr-only">Folders</caption>
          <thead>
            <tr className="border-line border-b text-faint text-xs">
              <Head>Folder</Head>
              <Head end>Unread</Head>
              <Head end>Messages</Head>
              <Head end>Size</Head>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((folder) => (
              <FolderRow key={folder.id} folder={folder} />
            ))}
          </tbody>
        </table>
      ) : query.error ? (
        <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <div className="px-5 py-4">
          <SkeletonText lines={7} label="Loading folders" />
        </div>
      )}
    </Panel>
  )
}

const Head = ({ end = false, children }: { end?: boolean; children: string }) => (
  <th scope="col" className={cx('px-3 py-2 font-medium first:pl-5 last:pr-5', end && 'text-right')}>
    {children}
  </th>
)

const FolderRow = ({ folder }: { folder: AddressFolder }) => (
  <tr className={folder.total === 0 ? 'text-faint' : 'text-muted'}>
    <th scope="row" className="w-full min-w-24 break-words py-2 pr-3 pl-5 font-medium text-ink">
      {folder.path}
    </th>
    <td className={cx('px-3 py-2 text-right tabular-nums', folder.unread > 0 && 'font-semibold text-ink')}>
      {formatNumber(folder.unread)}
    </td>
    <td className="px-3 py-2 text-right tabular-nums">{formatNumber(folder.total)}</td>
    <td className="whitespace-nowrap py-2 pr-5 pl-3 text-right tabular-nums">{formatBytes(folder.size_bytes)}</td>
  </tr>
)
