import type { Me } from '@stoa/cms-model/accounts.ts'
import type { IssuedInvitation } from '@stoa/cms-model/invitations.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { RoleChoice } from './person-dialogs.tsx'
import { invitationsKey, invite } from './queries.ts'

type InviteDialogProps = { me: Me; onClose: () => void; onIssued: (invitation: IssuedInvitation) => void }
type Values = { email: string; name: string; role: Role }

export const InviteDialog = ({ me, onClose, onIssued }: InviteDialogProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { email: '', name: '', role: 'author' },
    validate: (values): { email?: string } => (values.email.trim() ? {} : { email: 'Enter an email address.' }),
    onSubmit: async ({ email, name, role }) => {
      const issued = await invite({ email, role, ...(name.trim() && { name }) })
      void queryClient.invalidateQueries({ queryKey: invitationsKey })
      onClose()
      onIssued(issued)
      return undefined
    },
  })
  return (
    <FormDialog
      title="Invite someone"
      description="They get a link to choose their own name and password. It works once, for 7 days."
      form={form}
      submitLabel="Create invitation"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Email" help="They'll use this to sign in" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="off" autoCapitalize="none" />
      </Field>
      <Field label="Name" optional error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" />
      </Field>
      <RoleChoice
        mine={me.role}
        value={form.values.role}
        onValue={(role) => form.set({ role })}
        error={form.errors.role}
      />
    </FormDialog>
  )
}

type InvitationLinkProps = { invitation: IssuedInvitation; onClose: () => void }

/** The link, the only time that it can be shown. */
export const InvitationLinkDialog = ({ invitation, onClose }: InvitationLinkProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={invitation.sent ? `Invitation sent to ${invitation.email}` : `Invitation for ${invitation.email}`}
    description="The link works once, for 7 days."
    footer={
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="You won't see this link again">
        {invitation.sent
          ? 'You can also share it yourself. Anyone with the link can join, so keep it private.'
          : 'Copy it and send it to them yourself. Anyone with the link can join, so keep it private.'}
      </Notice>
      <div className="flex items-start gap-2.5 rounded-lg border border-line bg-sunken px-3 py-2.5">
        <code className="min-w-0 flex-1 select-all break-all font-mono text-ink text-xs leading-text">
          {invitation.url}
        </code>
      </div>
      <div>
        <CopyButton text={invitation.url} label="Copy link" size="md" />
      </div>
    </div>
  </Dialog>
)
