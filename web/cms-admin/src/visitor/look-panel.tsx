import { widgetParts } from '@stoa/cms-model/visitor-widget/widget.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useId } from 'react'
import { pickerColor, readColor } from '../fields/color/color-text.ts'
import { contrastOf } from '../visual/design/contrast.ts'
import { BubblePreview } from './preview.tsx'
import type { VisitorForm } from './values.ts'

/** Shown until a color can be read. */
const FALLBACK = '#2563eb'

/** How the bubble looks, beside the bubble itself. */
export const LookPanel = ({ form }: { form: VisitorForm }) => {
  const name = useId()
  const { label, greeting, accent, position } = form.values
  const shown = pickerColor(accent) ?? FALLBACK
  const set = (next: typeof position) => form.set({ position: next })
  return (
    <Panel title="Bubble" description="Attributes on the script tag, such as data-label, override these settings.">
      <div className="grid min-w-0 gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 max-w-prose flex-col gap-4">
          <Field
            label="Label"
            help="Keep “Ask a question” to show it in the language of your page."
            error={form.errors.label}
          >
            <Input {...form.text('label')} autoComplete="off" />
          </Field>
          <Field label="Greeting" optional help="The first message. Leave empty for none." error={form.errors.greeting}>
            <Input {...form.text('greeting')} autoComplete="off" />
          </Field>
          <Field label="Accent color" help={<Contrast accent={accent} />} error={form.errors.accent}>
            <AccentInput value={accent} onValue={(next) => form.set({ accent: next })} />
          </Field>
          <ChoiceGroup label="Position">
            <RadioChoice name={name} value="right" chosen={position} onChoose={set} label="Bottom right" />
            <RadioChoice name={name} value="left" chosen={position} onChoose={set} label="Bottom left" />
          </ChoiceGroup>
        </div>
        <BubblePreview look={{ label, greeting, accent: shown, position }} />
      </div>
    </Panel>
  )
}

type AccentInputProps = { value: string; onValue: (value: string) => void }

const AccentInput = ({ value, onValue }: AccentInputProps) => (
  <div className="flex items-center gap-2">
    <span className="relative inline-flex size-8 shrink-0 overflow-hidden rounded-md border border-control outline-ring has-focus-visible:outline-2 has-focus-visible:outline-offset-2 touch:size-10">
      <span className="size-full" style={{ backgroundColor: pickerColor(value) ?? FALLBACK }} />
      <input
        type="color"
        aria-label="Pick the accent color"
        value={pickerColor(value) ?? FALLBACK}
        onChange={({ target }) => onValue(target.value)}
        className="absolute inset-0 size-full opacity-0"
      />
    </span>
    <Input
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={FALLBACK}
      value={value}
      onChange={({ target }) => onValue(target.value)}
      onBlur={() => onValue(readColor(value) ?? value)}
      className="max-w-36 font-mono text-sm"
    />
  </div>
)

/** WCAG 2.2 §1.4.11: what is pressed must stand out from what is around it. */
const MIN_OUTLINE = 3

const Contrast = ({ accent }: { accent: string }) => {
  const color = pickerColor(accent)
  if (color === undefined) return 'A color like #2563eb.'
  const ink = widgetParts.readableOn(color)
  const text = contrastOf(ink === '#fff' ? '#ffffff' : '#000000', color) ?? 0
  const page = contrastOf(color, '#ffffff') ?? 0
  const ratio = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)}:1`
  const says = `Text on it is ${ink === '#fff' ? 'white' : 'black'} (contrast ${ratio(text)}, easy to read).`
  return page < MIN_OUTLINE ? `${says} On a white page the bubble is hard to see (${ratio(page)}).` : says
}
