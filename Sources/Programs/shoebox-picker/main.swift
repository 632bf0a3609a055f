import PickerServer

await runPicker()
