import type { DkimKey, Domain } from '@stoa/mail-model/domains.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { ListError } from '@stoa/ui/table-parts.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, PenLine } from 'lucide-react'
import { useState } from 'react'
import { CopyField, CopyFields, CopyLine } from './copy-fields.tsx'
import { recordLook } from './dns/states.ts'
import { LookIcon } from './look.tsx'
import { activateKey, domainsKey, keysQuery } from './queries.ts'

/** The keys that mail of the domain is signed with, and which of them signs. */
export const DkimTab = ({ domain }: { domain: Domain }) => {
  const query = useQuery(keysQuery(domain.id))
  const [switching, setSwitching] = useState<DkimKey>()
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Panel title="How signing works">
        <p className="max-w-prose text-muted text-sm">
          Every mail of the domain is signed with one key, and receivers check it against the public half in your DNS.
          There are two keys so that you can change over at any time: publish both records, let the other key sign, and
          leave the old record in place for some days, until mail that is still on its way has been checked.
        </p>
      </Panel>
      {query.data ? (
        query.data.data.map((key) => (
          <KeyPanel key={key.id} record={key} domain={domain} onSwitch={() => setSwitching(key)} />
        ))
      ) : query.error ? (
        <Panel flush>
          <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        </Panel>
      ) : (
        <Panel>
          <SkeletonText lines={6} label="Loading the keys" />
        </Panel>
      )}
      <SwitchKey domain={domain} wanted={switching} onClose={() => setSwitching(undefined)} />
    </div>
  )
}

type KeyPanelProps = { record: DkimKey; domain: Domain; onSwitch: () => void }

const KeyPanel = ({ record: key, domain, onSwitch }: KeyPanelProps) => {
  const look = recordLook({ status: key.status, found: [], required: key.active })
  return (
    <Panel
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          <KeyRound aria-hidden className="size-4 text-faint" />
          Selector {key.selector}
          {key.active ? (
            <Badge tone="live" icon={<PenLine aria-hidden />}>
              Signing
            </Badge>
          ) : (
            <Badge>Standing by</Badge>
          )}
        </span>
      }
      actions={key.active ? undefined : <Button onClick={onSwitch}>Sign with {key.selector}</Button>}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <Facts
          facts={[
            {
              label: 'DNS',
              value: (
                <span className="inline-flex items-center gap-1.5">
                  <LookIcon look={look} />
                  {look.word}
                </span>
              ),
            },
            { label: 'Key', value: `${key.algorithm === 'rsa-sha256' ? 'RSA' : 'Ed25519'}, ${key.key_bits} bits` },
            { label: 'Made', value: <RelativeTime at={key.created_at} /> },
            {
              label: 'Signs since',
              value:
                !key.active || key.activated_at === null ? 'It does not sign' : <RelativeTime at={key.activated_at} />,
            },
          ]}
        />
        <CopyFields>
          <CopyLine>
            <CopyField label="type" value={key.record.type} of={key.selector} />
            <CopyField label="name" value={key.record.name} of={key.selector} />
          </CopyLine>
          <CopyField label="full name" value={`${key.record.name}.${domain.name}`} of={key.selector} />
          <CopyField label="value" value={key.record.value} of={key.selector} />
        </CopyFields>
      </div>
    </Panel>
  )
}

type SwitchKeyProps = { domain: Domain; wanted: DkimKey | undefined; onClose: () => void }

const SwitchKey = ({ domain, wanted, onClose }: SwitchKeyProps) => {
  const queryClient = useQueryClient()
  if (!wanted) return null
  const isSeen = wanted.status === 'verified'
  const activate = async () => {
    await activateKey(domain.id, wanted.id)
    await queryClient.invalidateQueries({ queryKey: domainsKey })
    toast({ tone: 'success', title: `${domain.unicode_name} signs with ${wanted.selector} now` })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      tone={isSeen ? 'primary' : 'danger'}
      title={`Sign mail of ${domain.unicode_name} with ${wanted.selector}?`}
      consequence={
        isSeen
          ? `New mail is signed with ${wanted.selector} at once. Its record is in DNS, so nothing is interrupted. Leave the record of ${domain.active_selector ?? 'the other key'} in place for some days. You can switch back at any time.`
          : `The record of ${wanted.selector} was not seen in DNS. Receivers cannot check signatures made with it: mail may go to spam, and sending stops until the record is seen. Publish the record first. You can switch back at any time.`
      }
      confirmLabel={`Sign with ${wanted.selector}`}
      onConfirm={activate}
    />
  )
}
