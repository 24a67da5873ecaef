import { type FieldType, isFieldType } from '@stoa/cms-model/fields/types/index.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { fieldGroups } from '../fields/field-view.ts'
import { fieldViews, viewOf } from '../fields/index.ts'
import { FieldTypeIcon } from './field-type-icon.tsx'

type FieldPickerProps = {
  /** The owner of the new field: "Article", "Slides". */
  of: string
  /** Whether a list may stand here: they go only so deep. */
  allowList: boolean
  onPick: (type: FieldType) => void
  onClose: () => void
}

/** Which type a new field is of. */
export const FieldPicker = ({ of, allowList, onPick, onClose }: FieldPickerProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    size="lg"
    title="Add field"
    description={of === '' ? 'Choose a field type' : `Choose a field type for ${of}`}
  >
    <div className="flex flex-col gap-3 pb-2">
      {fieldGroups.map((group) => (
        <section key={group} aria-label={group} className="flex flex-col gap-1.5">
          <h3 className="font-medium text-faint text-xs">{group}</h3>
          <div className="grid grid-cols-3 gap-1.5 phone:grid-cols-1">
            {Object.keys(fieldViews)
              .filter(isFieldType)
              .filter((type) => viewOf({ type }).group === group && (allowList || !viewOf({ type }).hasFields))
              .map((type) => (
                <TypeChoice key={type} type={type} onPick={onPick} />
              ))}
          </div>
        </section>
      ))}
    </div>
  </Dialog>
)

const TypeChoice = ({ type, onPick }: { type: FieldType; onPick: (type: FieldType) => void }) => (
  <button
    type="button"
    onClick={() => onPick(type)}
    className="flex min-w-0 items-start gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-2 text-left shadow-sm transition-colors hover:border-line-strong hover:bg-hover"
  >
    <FieldTypeIcon type={type} />
    <span className="flex min-w-0 flex-col">
      <span className="font-medium text-ink text-sm">{viewOf({ type }).label}</span>
      <span className="text-faint text-xs">{viewOf({ type }).line}</span>
    </span>
  </button>
)
