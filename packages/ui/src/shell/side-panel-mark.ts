/** Marks the element of a side panel, so that a new screen does not take the focus from it. */
export const SIDE_PANEL = 'data-side-panel'
