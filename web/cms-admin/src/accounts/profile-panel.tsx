import type { Me } from '@stoa/cms-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { may } from '../allowed.tsx'
import { EditPersonDialog } from '../people/person-dialogs.tsx'
import { roleLabels } from './roles.ts'

/** Who one is. The name and the address are changed by those who manage people, also their own. */
export const ProfilePanel = ({ me }: { me: Me }) => {
  const [editing, setEditing] = useState(false)
  const mayEdit = may(me, 'users.manage')
  return (
    <Panel
      title="Profile"
      description={mayEdit ? undefined : 'An admin or owner can change your name and email'}
      actions={
        mayEdit ? (
          <Button size="sm" icon={<Pencil />} onClick={() => setEditing(true)}>
            Edit profile
          </Button>
        ) : undefined
      }
    >
      <div className="flex items-start gap-4">
        <Avatar name={me.name} person={me.id} size="lg" />
        <Facts
          facts={[
            { label: 'Name', value: me.name },
            { label: 'Email', value: me.email },
            { label: 'Role', value: <Badge tone="accent">{roleLabels[me.role]}</Badge> },
            { label: 'Member since', value: <RelativeTime at={me.createdAt} /> },
          ]}
        />
      </div>
      {editing ? <EditPersonDialog me={me} person={me} onClose={() => setEditing(false)} /> : null}
    </Panel>
  )
}
