import type { DkimKey, Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, PenLine, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { CopyField, CopyFields, CopyLine } from './copy-fields.tsx'
import { recordLook } from './dns/states.ts'
import { activateKey, addKey, deleteKey, domainsKey, keysQuery } from './queries.ts'
import { LookIcon } from './status-badge.tsx'

/** The limit of the service. */
const MAX_KEYS = 5

/** The keys that mail of the domain is signed with, and which of them signs. */
export const DkimTab = ({ domain }: { domain: Domain }) => {
  const query = useQuery(keysQuery(domain.id))
  const [switching, setSwitching] = useState<DkimKey>()
  const [deleting, setDeleting] = useState<DkimKey>()
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Panel title="How signing works" actions={<AddKey domain={domain} keys={query.data?.data} />}>
        <p className="max-w-prose text-muted text-sm">
          Every message is signed with the active key, and receivers check it against the record in your DNS. To replace
          a key, add a new one, publish its record, activate it, and delete the old one. If a key leaked, delete it and
          its DNS record right away; otherwise leave the old record in place for a few days.
        </p>
      </Panel>
      {query.data ? (
        query.data.data.map((key) => (
          <KeyPanel
            key={key.id}
            record={key}
            domain={domain}
            onSwitch={() => setSwitching(key)}
            onDelete={() => setDeleting(key)}
          />
        ))
      ) : query.error ? (
        <Panel flush>
          <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        </Panel>
      ) : (
        <Panel>
          <SkeletonText lines={6} label="Loading keys" />
        </Panel>
      )}
      <SwitchKey domain={domain} wanted={switching} onClose={() => setSwitching(undefined)} />
      <DeleteKey domain={domain} unwanted={deleting} onClose={() => setDeleting(undefined)} />
    </div>
  )
}

const AddKey = ({ domain, keys }: { domain: Domain; keys: readonly DkimKey[] | undefined }) => {
  const queryClient = useQueryClient()
  const add = useMutation({
    mutationFn: () => addKey(domain.id),
    onSuccess: async ({ selector }) => {
      await queryClient.invalidateQueries({ queryKey: domainsKey })
      toast({
        tone: 'success',
        title: `Key ${selector} added`,
        description: 'Publish its DNS record before you activate it.',
      })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't add the key", description: messageOf(error) }),
  })
  const isFull = (keys?.length ?? 0) >= MAX_KEYS
  return (
    <Button
      icon={<Plus />}
      loading={add.isPending}
      disabled={keys === undefined || isFull}
      title={isFull ? `A domain has at most ${MAX_KEYS} keys. Delete one first.` : undefined}
      onClick={() => add.mutate()}
    >
      Add key
    </Button>
  )
}

type KeyPanelProps = { record: DkimKey; domain: Domain; onSwitch: () => void; onDelete: () => void }

const KeyPanel = ({ record: key, domain, onSwitch, onDelete }: KeyPanelProps) => {
  const look = recordLook({ record: 'DKIM', status: key.status, found: [], required: key.active })
  return (
    <Panel
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          <KeyRound aria-hidden className="size-4 text-faint" />
          Selector {key.selector}
          {key.active ? (
            <Badge tone="live" icon={<PenLine aria-hidden />}>
              Active
            </Badge>
          ) : (
            <Badge>Standby</Badge>
          )}
        </span>
      }
      actions={
        key.active ? undefined : (
          <>
            <Button icon={<Trash2 />} onClick={onDelete} aria-label={`Delete ${key.selector}`}>
              Delete
            </Button>
            <Button onClick={onSwitch} aria-label={`Activate ${key.selector}`}>
              Activate
            </Button>
          </>
        )
      }
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
            { label: 'Created', value: <RelativeTime at={key.created_at} /> },
            {
              label: 'Active since',
              value: !key.active || key.activated_at === null ? '–' : <RelativeTime at={key.activated_at} />,
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

type DeleteKeyProps = { domain: Domain; unwanted: DkimKey | undefined; onClose: () => void }

const DeleteKey = ({ domain, unwanted, onClose }: DeleteKeyProps) => {
  const queryClient = useQueryClient()
  if (!unwanted) return null
  const { id, selector, record } = unwanted
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      tone="danger"
      title={`Delete key ${selector}?`}
      consequence={`The key can't be restored. Also remove the DNS record ${record.name}.${domain.name}: while it exists, anyone with the key can sign mail as ${domain.unicode_name}.`}
      confirmLabel="Delete key"
      onConfirm={async () => {
        await deleteKey(domain.id, id)
        await queryClient.invalidateQueries({ queryKey: domainsKey })
        toast({ tone: 'success', title: `Key ${selector} deleted` })
      }}
    />
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
    toast({ tone: 'success', title: `Key ${wanted.selector} activated` })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      tone={isSeen ? 'primary' : 'danger'}
      title={`Activate key ${wanted.selector}?`}
      consequence={
        isSeen
          ? `New mail will be signed with ${wanted.selector}. Its DNS record is in place, so nothing is interrupted. Keep the record of ${domain.active_selector ?? 'the other key'} for a few days. You can switch back at any time.`
          : `The DNS record of ${wanted.selector} wasn't found. Receivers can't verify its signatures: mail may go to spam, and sending stops until the record is found. Publish the record first. You can switch back at any time.`
      }
      confirmLabel="Activate key"
      onConfirm={activate}
    />
  )
}
