export const TransfersScreen = () => null
