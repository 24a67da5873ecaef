export const InstanceScreen = () => null
