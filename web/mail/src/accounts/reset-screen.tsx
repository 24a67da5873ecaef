export const ResetScreen = () => null
