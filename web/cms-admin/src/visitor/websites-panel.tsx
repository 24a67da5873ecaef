import { Panel } from '@stoa/ui/display/panel.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import type { VisitorForm } from './values.ts'

/** Which pages may ask. */
export const WebsitesPanel = ({ form }: { form: VisitorForm }) => (
  <Panel
    title="Websites"
    description="Browsers on other websites can't ask questions. Programs can pretend to be any website, so this isn't access control: answers use published content only, and the limits below apply to everyone."
  >
    <Field label="Allowed websites" help="One per line, such as https://www.example.com" error={form.errors.origins}>
      <Textarea
        {...form.text('origins')}
        rows={3}
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://www.example.com"
        className="max-w-prose"
      />
    </Field>
  </Panel>
)
