import type { QueueHold } from '@stoa/mail-model/queue.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { addHold, holdsQuery, QUEUE, removeHold } from './queries.ts'

/** The domains whose mail stays in the queue. */
export const HoldsPanel = () => {
  const url = useUrlState()
  const query = useQuery(holdsQuery)
  const [releasing, setReleasing] = useState<QueueHold | null>(null)
  const asked = url.get('hold')
  return (
    <Panel
      title="Holds"
      description="Mail for these domains stays in the queue. It still expires after 5 days."
      actions={
        <Button icon={<Plus />} onClick={() => url.set({ hold: 'new' })}>
          Hold a domain
        </Button>
      }
    >
      <QueryBoundary query={query} name="Holds" lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted text-sm">No domains on hold.</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((hold) => (
                <li key={hold.id} className="flex items-center gap-4 py-2 first:pt-0 last:pb-0">
                  <div className="min-w-0 flex-1">
                    <p className="break-all font-medium text-sm">{hold.domain}</p>
                    <p className="break-words text-muted text-xs">
                      {hold.reason === null ? null : `${hold.reason} · `}
                      since <RelativeTime at={hold.created_at} />
                    </p>
                  </div>
                  <Button aria-label={`Release ${hold.domain}`} onClick={() => setReleasing(hold)}>
                    Release
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {asked ? <NewHold domain={asked === 'new' ? '' : asked} onClose={() => url.set({ hold: '' })} /> : null}
      {releasing ? <ReleaseHold hold={releasing} onClose={() => setReleasing(null)} /> : null}
    </Panel>
  )
}

const NewHold = ({ domain, onClose }: { domain: string; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { domain, reason: '' },
    validate: (values) => (values.domain.trim() ? {} : { domain: 'Enter a domain like example.com.' }),
    onSubmit: async (values) => {
      const hold = await addHold({ domain: values.domain, reason: values.reason.trim() || null }).catch(blameDomain)
      await queryClient.invalidateQueries({ queryKey: QUEUE })
      toast({ tone: 'success', title: `${hold.domain} put on hold` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Hold a domain"
      description="Mail to this domain won't be sent until you release it."
      form={form}
      submitLabel="Hold domain"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Domain" error={form.errors.domain}>
        <Input
          {...form.text('domain')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="example.com"
        />
      </Field>
      <Field label="Reason" optional error={form.errors.reason}>
        <Input {...form.text('reason')} />
      </Field>
    </FormDialog>
  )
}

const blameDomain = (error: unknown): never => {
  if (!hasName(error, 'conflict')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'domain', message: messageOf(error) }])
}

const ReleaseHold = ({ hold, onClose }: { hold: QueueHold; onClose: () => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      tone="primary"
      title={`Release ${hold.domain}?`}
      consequence="Waiting mail for this domain is sent right away."
      confirmLabel="Release domain"
      onConfirm={async () => {
        await removeHold(hold.id)
        await queryClient.invalidateQueries({ queryKey: QUEUE })
        toast({ tone: 'success', title: `${hold.domain} released` })
      }}
    />
  )
}
