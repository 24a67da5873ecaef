import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { StickyFormActions } from '@stoa/ui/form/sticky-form-actions.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DigestField } from '../../senders/digest-field.tsx'
import { mailSettingsQuery } from '../queries.ts'
import { BrowserPanel } from './browser-panel.tsx'
import { ImageSenders } from './image-senders.tsx'
import { changeSettings } from './queries.ts'

/** How mail is listed, read and written; and what this browser alone remembers. */
export const GeneralSection = () => {
  const query = useQuery(mailSettingsQuery)
  return (
    <QueryBoundary query={query} name="Your settings">
      {(settings) => (
        <>
          <SettingsForm settings={settings} />
          <BrowserPanel />
        </>
      )}
    </QueryBoundary>
  )
}

/** Without the size of pages: lists here have none. */
type Chosen = Omit<MailboxSettings, 'page_size'>

type Values = Omit<Chosen, 'undo_seconds' | 'mark_read_seconds'> & {
  undo_seconds: string
  mark_read_seconds: string
}

const NEVER = 'never'

const valuesOf = (settings: Chosen): Values => ({
  conversations: settings.conversations,
  density: settings.density,
  reading_pane: settings.reading_pane,
  mark_read_seconds: settings.mark_read_seconds === null ? NEVER : String(settings.mark_read_seconds),
  show_images: settings.show_images,
  image_senders: settings.image_senders,
  undo_seconds: String(settings.undo_seconds),
  compose_format: settings.compose_format,
  digest: settings.digest,
})

const settingsOf = (values: Values): Chosen => ({
  ...values,
  undo_seconds: Number(values.undo_seconds),
  mark_read_seconds: values.mark_read_seconds === NEVER ? null : Number(values.mark_read_seconds),
})

const SettingsForm = ({ settings }: { settings: MailboxSettings }) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: valuesOf(settings),
    onSubmit: async (values) => {
      const before = queryClient.getQueryData(mailSettingsQuery.queryKey) ?? settings
      const saved = await changeSettings(changedMembers(settingsOf(values), settingsOf(valuesOf(before))))
      queryClient.setQueryData(mailSettingsQuery.queryKey, saved)
      toast({ tone: 'success', title: 'Settings saved' })
      return valuesOf(saved)
    },
  })
  return (
    // The bar at the bottom must not cover the focused input
    <Form form={form} className="gap-6 **:scroll-mb-28">
      <ReadingPanel form={form} />
      <PicturesPanel form={form} />
      <WritingPanel form={form} />
      <JunkPanel form={form} />
      <StickyFormActions form={form} />
    </Form>
  )
}

type PartProps = { form: FormState<Values> }

const densities = [
  { value: 'comfortable', label: 'Comfortable', help: 'Avatars, and a preview of each message.' },
  { value: 'compact', label: 'Compact', help: 'More messages on the screen.' },
] as const

const panes = [
  { value: 'right', label: 'Right of the list' },
  { value: 'below', label: 'Below the list' },
  { value: 'none', label: 'Full width' },
] as const

const ReadingPanel = ({ form }: PartProps) => (
  <Panel title="Reading">
    <div className="flex max-w-prose flex-col gap-5">
      <CheckboxField
        {...form.flag('conversations')}
        label="Group messages into conversations"
        help="Shows a message and its replies as one row."
      />
      <ChoiceGroup label="List density" error={form.errors.density}>
        {densities.map(({ value, label, help }) => (
          <RadioChoice
            key={value}
            name="density"
            value={value}
            chosen={form.values.density}
            onChoose={(density) => form.set({ density })}
            label={label}
            help={help}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup label="Reading pane" error={form.errors.reading_pane}>
        {panes.map(({ value, label }) => (
          <RadioChoice
            key={value}
            name="reading_pane"
            value={value}
            chosen={form.values.reading_pane}
            onChoose={(reading_pane) => form.set({ reading_pane })}
            label={label}
          />
        ))}
      </ChoiceGroup>
      <Field label="Mark as read" error={form.errors.mark_read_seconds} className="w-56">
        <Select
          {...form.choice('mark_read_seconds')}
          options={secondsOptions(form.values.mark_read_seconds, [
            { value: '0', label: 'Immediately' },
            { value: '2', label: 'After 2 seconds' },
            { value: '5', label: 'After 5 seconds' },
            { value: '10', label: 'After 10 seconds' },
            { value: NEVER, label: 'Manually' },
          ])}
        />
      </Field>
    </div>
  </Panel>
)

const PicturesPanel = ({ form }: PartProps) => (
  <Panel
    title="Images in messages"
    description="Remote images can tell the sender that you read a message. We load them through our server to hide your location."
  >
    <div className="flex max-w-prose flex-col gap-5">
      <ChoiceGroup label="Show images" error={form.errors.show_images}>
        <RadioChoice
          name="show_images"
          value="ask"
          chosen={form.values.show_images}
          onChoose={(show_images) => form.set({ show_images })}
          label="Ask first"
          help="Except for the senders below."
        />
        <RadioChoice
          name="show_images"
          value="always"
          chosen={form.values.show_images}
          onChoose={(show_images) => form.set({ show_images })}
          label="Always"
        />
      </ChoiceGroup>
      <ImageSenders
        value={form.values.image_senders}
        onValue={(image_senders) => form.set({ image_senders })}
        error={form.errors.image_senders}
      />
    </div>
  </Panel>
)

const WritingPanel = ({ form }: PartProps) => (
  <Panel title="Writing">
    <div className="flex max-w-prose flex-wrap gap-4">
      <Field label="Undo send" help="How long you can undo a send." error={form.errors.undo_seconds} className="w-56">
        <Select
          {...form.choice('undo_seconds')}
          options={secondsOptions(form.values.undo_seconds, [
            { value: '0', label: 'Off' },
            { value: '5', label: '5 seconds' },
            { value: '10', label: '10 seconds' },
            { value: '20', label: '20 seconds' },
            { value: '30', label: '30 seconds' },
            { value: '60', label: '60 seconds' },
          ])}
        />
      </Field>
      <Field label="Default format" error={form.errors.compose_format} className="w-56">
        <Select
          {...form.choice('compose_format')}
          options={[
            { value: 'html', label: 'Rich text' },
            { value: 'text', label: 'Plain text' },
          ]}
        />
      </Field>
    </div>
  </Panel>
)

const JunkPanel = ({ form }: PartProps) => (
  <Panel title="Junk">
    <div className="w-56">
      <DigestField value={form.values.digest} onValue={(digest) => form.set({ digest })} error={form.errors.digest} />
    </div>
  </Panel>
)

type Option = { value: string; label: string }

/** A number that was chosen elsewhere is shown as it is. */
const secondsOptions = (value: string, options: readonly Option[]): readonly Option[] =>
  options.some((option) => option.value === value) ? options : [...options, { value, label: `${value} seconds` }]
