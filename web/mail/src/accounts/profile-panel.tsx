import { MAX_BOUNCE_SUPPRESSION_DAYS, type User } from '@stoa/mail-model/accounts.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../queries.ts'
import { saveProfile } from './queries.ts'

const valuesOf = (me: User) => ({
  name: me.name ?? '',
  company: me.company ?? '',
  timezone: me.timezone,
  locale: me.locale,
  bounce_suppression_days: me.bounce_suppression_days === null ? '' : String(me.bounce_suppression_days),
})
type Values = ReturnType<typeof valuesOf>

const bodyOf = ({ name, company, bounce_suppression_days: days, ...rest }: Values) => ({
  ...rest,
  bounce_suppression_days: days.trim() === '' ? null : Number(days),
  name: name.trim() || null,
  company: company.trim() || null,
})

const roleLabels: Record<User['role'], string> = { owner: 'Owner', member: 'Member' }

export const ProfilePanel = ({ me }: { me: User }) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: valuesOf(me),
    onSubmit: async (values, before) => {
      const saved = await saveProfile(changedMembers(bodyOf(values), bodyOf(before)))
      queryClient.setQueryData(meQuery.queryKey, saved)
      toast({ tone: 'success', title: 'Profile saved' })
      return valuesOf(saved)
    },
  })
  return (
    <Panel
      title="Profile"
      actions={
        <span className="flex items-center gap-2 text-faint text-xs">
          <Badge tone="accent">{roleLabels[me.role]}</Badge>
          <span>
            since <RelativeTime at={me.created_at} />
          </span>
        </span>
      }
    >
      <div className="flex items-start gap-4 phone:flex-col">
        <Avatar name={form.values.name || me.email} person={me.email} size="lg" />
        <Form form={form} className="max-w-field flex-1 phone:w-full">
          <Field label="Name" optional error={form.errors.name}>
            <Input {...form.text('name')} autoComplete="name" />
          </Field>
          <Field label="Company" optional error={form.errors.company}>
            <Input {...form.text('company')} autoComplete="organization" />
          </Field>
          <Field label="Time zone" help="For times in emails we send you." error={form.errors.timezone}>
            <Select {...form.choice('timezone')} options={zonesWith(form.values.timezone)} />
          </Field>
          <Field label="Language" help="For emails we send you, where available." error={form.errors.locale}>
            <Select {...form.choice('locale')} options={languagesWith(form.values.locale)} />
          </Field>
          <Field
            label="Suppress bounced addresses for (days)"
            help="Leave empty to suppress them until you remove them."
            error={form.errors.bounce_suppression_days}
          >
            <Input
              {...form.text('bounce_suppression_days')}
              type="number"
              inputMode="numeric"
              min={1}
              max={MAX_BOUNCE_SUPPRESSION_DAYS}
              className="max-w-32"
            />
          </Field>
          <FormActions form={form} />
        </Form>
      </div>
    </Panel>
  )
}

/** All zones that the browser knows, and the one that is set. */
const zonesWith = (current: string) =>
  [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

const LANGUAGES =
  'ar bg cs da de el en en-GB es et fa fi fr he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sv th tr uk vi zh-Hans zh-Hant'

/** Languages by their own names, and the one that is set. */
const languagesWith = (current: string) =>
  [...new Set([current, ...LANGUAGES.split(' ')])]
    .map((tag) => ({ value: tag, label: new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag }))
    .sort((a, b) => a.label.localeCompare(b.label))
