import type { Identity } from '@stoa/mail-model/identities.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mailIdentitiesQuery } from '../queries.ts'
import { IdentityDialog } from './identity-dialog.tsx'
import { changeIdentity, deleteIdentity } from './queries.ts'
import { textOfHtml } from './rich-words.ts'

/** Whom the mailbox writes as, and what stands below its mail. */
export const IdentitiesSection = () => {
  const query = useQuery(mailIdentitiesQuery)
  const url = useUrlState()
  const [editing, setEditing] = useState<Identity>()
  const [deleting, setDeleting] = useState<Identity>()
  const refresh = useRefresh()
  const makeDefault = async (identity: Identity) => {
    try {
      await changeIdentity(identity.id, { is_default: true })
      await refresh()
      toast({ tone: 'success', title: `${identity.email} is now the default` })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't change the default", description: messageOf(error) })
    }
  }
  return (
    <>
      <Panel
        title="Identities and signatures"
        description="Names and addresses you can send from: your own address or an alias."
        actions={
          <Button icon={<Plus />} onClick={() => url.set({ new: '1' })}>
            New identity
          </Button>
        }
        flush
      >
        <QueryBoundary query={query} name="Your identities" lines={4} padded>
          {({ data }) => (
            <ul className="flex flex-col divide-y divide-line">
              {data.map((identity) => (
                <IdentityRow
                  key={identity.id}
                  identity={identity}
                  onEdit={() => setEditing(identity)}
                  onDefault={() => void makeDefault(identity)}
                  onDelete={() => setDeleting(identity)}
                />
              ))}
            </ul>
          )}
        </QueryBoundary>
      </Panel>
      {editing ? <IdentityDialog identity={editing} onClose={() => setEditing(undefined)} /> : null}
      {url.get('new') ? <IdentityDialog identity={null} onClose={() => url.set({ new: '' })} /> : null}
      {deleting ? (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleting(undefined)}
          title={`Delete the identity “${deleting.name || deleting.email}”?`}
          consequence={`Its signature is deleted, too. You'll still receive mail to ${deleting.email}.`}
          confirmLabel="Delete identity"
          onConfirm={async () => {
            await deleteIdentity(deleting.id)
            await refresh()
            toast({ tone: 'success', title: 'Identity deleted' })
          }}
        />
      ) : null}
    </>
  )
}

const useRefresh = () => {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(mailIdentitiesQuery)
}

type IdentityRowProps = {
  identity: Identity
  onEdit: () => void
  onDefault: () => void
  onDelete: () => void
}

const IdentityRow = ({ identity, onEdit, onDefault, onDelete }: IdentityRowProps) => {
  const { name, email, is_default: isDefault, is_own: isOwn } = identity
  const signature = identity.signature_text.trim() || textOfHtml(identity.signature_html).trim()
  return (
    <li className="flex items-start gap-3 px-5 py-4">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium text-ink text-sm">{name || email}</span>
          {name ? <span className="min-w-0 truncate text-muted text-sm">{email}</span> : null}
          {isDefault ? <Badge tone="accent">Default</Badge> : null}
        </div>
        {signature ? (
          <p className="line-clamp-4 whitespace-pre-line border-line border-l-2 pl-3 text-muted text-sm">{signature}</p>
        ) : (
          <p className="text-faint text-sm">No signature</p>
        )}
      </div>
      <Button size="sm" icon={<Pencil />} onClick={onEdit} aria-label={`Edit ${name || email}`}>
        Edit
      </Button>
      {isDefault && isOwn ? null : (
        <Menu trigger={<IconButton size="sm" label={`Actions for ${name || email}`} icon={<Ellipsis />} />}>
          {isDefault ? null : (
            <MenuItem icon={<Star />} onSelect={onDefault}>
              Make default
            </MenuItem>
          )}
          {isOwn || isDefault ? null : <MenuSeparator />}
          {isOwn ? null : (
            <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
              Delete identity
            </MenuItem>
          )}
        </Menu>
      )}
    </li>
  )
}
