import type { Me } from '@stoa/cms-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ImageOff, ImagePlus, Pencil } from 'lucide-react'
import { useState } from 'react'
import { may } from '../allowed.tsx'
import { MediaPicker } from '../media/picker/media-picker.tsx'
import { EditPersonDialog } from '../people/person-dialogs.tsx'
import { peopleKey } from '../people/queries.ts'
import { meQuery } from '../queries.ts'
import { PersonAvatar } from './person-avatar.tsx'
import { saveMe } from './queries.ts'
import { roleLabels } from './roles.ts'

/** The person's own name and picture. The address is changed by those who manage people, also their own. */
export const ProfilePanel = ({ me }: { me: Me }) => {
  const [editing, setEditing] = useState(false)
  const mayEdit = may(me, 'users.manage')
  return (
    <Panel
      title="Profile"
      description={mayEdit ? undefined : 'An admin or owner can change your email'}
      actions={
        <Button size="sm" icon={<Pencil />} onClick={() => setEditing(true)}>
          {mayEdit ? 'Edit profile' : 'Edit name'}
        </Button>
      }
    >
      <div className="flex phone:flex-col items-start gap-4">
        <Picture me={me} />
        <Facts
          facts={[
            { label: 'Name', value: me.name },
            { label: 'Email', value: me.email },
            { label: 'Role', value: <Badge tone="accent">{roleLabels[me.role]}</Badge> },
            { label: 'Member since', value: <RelativeTime at={me.createdAt} /> },
          ]}
        />
      </div>
      {editing && mayEdit ? <EditPersonDialog me={me} person={me} onClose={() => setEditing(false)} /> : null}
      {editing && !mayEdit ? <EditNameDialog me={me} onClose={() => setEditing(false)} /> : null}
    </Panel>
  )
}

/** Beginnings of the MIME types that a picture of a person may have. */
const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const

const Picture = ({ me }: { me: Me }) => {
  const queryClient = useQueryClient()
  const [picking, setPicking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (avatarId: string | null) => saveMe({ avatarId }),
    onSuccess: (saved, avatarId) => {
      queryClient.setQueryData(meQuery.queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: peopleKey })
      toast({ tone: 'success', title: avatarId === null ? 'Picture removed' : 'Picture changed' })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't change the picture", description: messageOf(error) }),
  })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <PersonAvatar person={me} size="lg" />
      <div className="flex desk:flex-col items-start gap-1">
        <Button size="sm" icon={<ImagePlus />} loading={isPending} onClick={() => setPicking(true)}>
          {me.avatarUrl === null ? 'Add picture' : 'Change picture'}
        </Button>
        {me.avatarUrl === null ? null : (
          <Button size="sm" variant="ghost" icon={<ImageOff />} disabled={isPending} onClick={() => mutate(null)}>
            Remove picture
          </Button>
        )}
      </div>
      <MediaPicker
        open={picking}
        onOpenChange={setPicking}
        accept={PICTURES}
        onPick={([media]) => {
          if (media) mutate(media.id)
        }}
      />
    </div>
  )
}

const EditNameDialog = ({ me, onClose }: { me: Me; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: me.name },
    validate: (values): { name?: string } => (values.name.trim() ? {} : { name: 'Enter a name.' }),
    onSubmit: async ({ name }) => {
      queryClient.setQueryData(meQuery.queryKey, await saveMe({ name }))
      toast({ tone: 'success', title: 'Profile saved' })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title="Edit your name" form={form} submitLabel="Save changes" onClose={onClose}>
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="name" />
      </Field>
    </FormDialog>
  )
}
