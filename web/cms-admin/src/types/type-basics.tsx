import { iconButtonClass } from '@stoa/ui/button/button-class.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useId } from 'react'
import { typeIcons } from '../type-icon.tsx'
import { nameFromLabel } from './names.ts'
import { PreviewUrlField } from './preview-url-field.tsx'
import type { TypeEditor } from './use-type-editor.ts'

type TypeBasicsProps = { editor: TypeEditor; isNew: boolean }

/** What a type is called, and whether it has one entry or many. */
export const TypeBasics = ({ editor, isNew }: TypeBasicsProps) => {
  const { values, set, messageAt } = editor
  const follows = isNew && (values.name === '' || values.name === nameFromLabel(values.label))
  return (
    <Panel title="General">
      <div className="flex max-w-prose flex-col gap-4">
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <Field label="Label" help="Singular, such as Article" error={messageAt('label')}>
            <Input
              value={values.label}
              autoComplete="off"
              placeholder="Article"
              onChange={({ target: { value } }) =>
                set(follows ? { label: value, name: nameFromLabel(value) } : { label: value })
              }
            />
          </Field>
          <Field label="Plural" optional help="Plural, such as Articles" error={messageAt('labelPlural')}>
            <Input
              value={values.labelPlural}
              autoComplete="off"
              placeholder={values.label || 'Articles'}
              onChange={({ target }) => set({ labelPlural: target.value })}
            />
          </Field>
        </div>
        <Field
          label="Name"
          help={isNew ? "Used in API URLs. It can't be changed later." : "Used in API URLs. It can't be changed."}
          error={messageAt('name')}
        >
          <Input
            value={values.name}
            disabled={!isNew}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="article"
            className="font-mono text-xs"
            onChange={({ target }) => set({ name: target.value })}
          />
        </Field>
        <KindChoice editor={editor} />
      </div>
    </Panel>
  )
}

/** What helps people to find their way: words, a sign, an address. */
export const TypeMore = ({ editor, isNew }: TypeBasicsProps) => {
  const { values, set, messageAt } = editor
  return (
    <>
      <Panel title="URL">
        <div className="max-w-prose">
          <PreviewUrlField
            typeName={isNew ? '' : values.name}
            value={values.previewUrl}
            onValue={(previewUrl) => set({ previewUrl })}
            error={messageAt('previewUrl')}
          />
        </div>
      </Panel>
      <Panel title="In the admin">
        <div className="flex max-w-prose flex-col gap-4">
          <Field label="Description" optional help="Tells your team what it's for" error={messageAt('description')}>
            <Textarea
              rows={2}
              className="min-h-14!"
              value={values.description}
              onChange={({ target }) => set({ description: target.value })}
            />
          </Field>
          <IconChoice value={values.icon} onValue={(icon) => set({ icon })} error={messageAt('icon')} />
        </div>
      </Panel>
    </>
  )
}

const KindChoice = ({ editor: { values, set, messageAt } }: { editor: TypeEditor }) => {
  const name = useId()
  return (
    <ChoiceGroup label="Kind" error={messageAt('kind')}>
      <RadioChoice
        name={name}
        value="collection"
        chosen={values.kind}
        onChoose={(kind) => set({ kind })}
        label="Collection"
        help="Any number of entries, such as articles or products"
      />
      <RadioChoice
        name={name}
        value="single"
        chosen={values.kind}
        onChoose={(kind) => set({ kind })}
        label="Single"
        help="One entry, such as the home page"
      />
    </ChoiceGroup>
  )
}

type IconChoiceProps = { value: string; onValue: (icon: string) => void; error: string | undefined }

const IconChoice = ({ value, onValue, error }: IconChoiceProps) => (
  <ChoiceGroup label="Icon" error={error} className="flex-row! flex-wrap gap-1!">
    {[...typeIcons].map(([name, Icon]) => (
      <button
        key={name}
        type="button"
        aria-label={name.replaceAll('-', ' ')}
        aria-pressed={name === value}
        onClick={() => onValue(name === value ? '' : name)}
        className={iconButtonClass(
          'ghost',
          'md',
          name === value ? 'border-accent-line! bg-accent-soft text-accent-ink!' : '',
        )}
      >
        <Icon aria-hidden />
      </button>
    ))}
  </ChoiceGroup>
)
