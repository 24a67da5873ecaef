import { Button } from '@stoa/ui/button/button.tsx'

type SaveBarProps = { label: string; saving: boolean; onSave: () => void; onDiscard?: () => void }

/** Save and Discard, in sight however long the screen is. */
export const SaveBar = (props: SaveBarProps) => (
  <div className="layer-sticky sticky bottom-4 rounded-xl border border-line bg-raised px-4 py-3 shadow-md">
    <SaveButtons {...props} />
  </div>
)

export const SaveButtons = ({ label, saving, onSave, onDiscard }: SaveBarProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <Button variant="primary" loading={saving} onClick={onSave}>
      {label}
    </Button>
    {onDiscard && !saving ? (
      <Button variant="ghost" onClick={onDiscard}>
        Discard
      </Button>
    ) : null}
    <span role="status" className="text-faint text-xs">
      Unsaved changes
    </span>
  </div>
)
