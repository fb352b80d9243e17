/* Every function and every parameter that a DVM trace names, each in one row: enums, names, classes
 * and kinds come from here.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_FUNCTIONS_H
#define PD_DVM_FUNCTIONS_H

#include <glib.h>

/* The class of a function: its purpose. Of two classes ("TASK, OBJ") the first is given. */
typedef enum
{
  PD_DVM_CLASS_SYS,  /* start, finish, trace control */
  PD_DVM_CLASS_REG,  /* query or bookkeeping, local; also every unknown function */
  PD_DVM_CLASS_OBJ,  /* creates or deletes an object */
  PD_DVM_CLASS_INT,  /* interval */
  PD_DVM_CLASS_TASK, /* processor systems, abstract machines, tasks */
  PD_DVM_CLASS_DIST, /* distribution, alignment, weights */
  PD_DVM_CLASS_XFER, /* data transfer between arrays, buffers, processors */
  PD_DVM_CLASS_LOOP, /* parallel loop */
  PD_DVM_CLASS_RED,  /* reductions */
  PD_DVM_CLASS_SHD,  /* shadow edges, pipelined loops */
  PD_DVM_CLASS_REM,  /* remote access */
  PD_DVM_CLASS_IND,  /* indirect access */
  PD_DVM_CLASS_CONS, /* consistent arrays */
  PD_DVM_CLASS_IO,   /* input-output */
  PD_DVM_CLASS_MSG,  /* messages of the program */
  PD_DVM_CLASS_INTL, /* internals of the run-time system, deep traces only */
  PD_DVM_CLASS_DEB,  /* dynamic control */
  PD_DVM_N_CLASSES
} PdDvmClass;

/* X (name without call_ or ret_, class). */
/* clang-format off */
#define PD_DVM_FUNCTIONS(X) \
  X (aarrcp_, XFER) X (acopel_, XFER) X (acrecv_, MSG) X (across_, SHD) X (acsend_, MSG) \
  X (addbnd_, LOOP) X (addhdr_, OBJ) X (addshd_, LOOP) X (aelmcp_, XFER) X (align_, DIST) \
  X (amview_Done, INTL) X (amvmap_, OBJ) X (AMVMap_Done, INTL) X (arcsum_, REG) \
  X (arrcpy_, XFER) X (arrmap_, OBJ) X (ArrMap_Done, INTL) X (arwelm_, XFER) X (bbuf_Done, INTL) \
  X (begbl_, OBJ) X (bgroup_Done, INTL) X (binter_, INT) X (biof_, IO) X (blkdiv_, DIST) \
  X (bploop_, INT) X (bsloop_, INT) X (bsynch_, MSG) X (clocel_, REG) X (consda_, CONS) \
  X (copelm_, XFER) X (CreateBoundBuffer, INTL) X (CreateVMS, INTL) X (crtamv_, OBJ) \
  X (crtbg_, OBJ) X (crtcg_, OBJ) X (crtda_, OBJ) X (crtib_, IND) X (crtibl_, IND) \
  X (crtig_, OBJ) X (crtpl_, OBJ) X (crtps_, TASK) X (crtrba_, REM) X (crtrbl_, REM) \
  X (crtrbp_, REM) X (crtrda_, OBJ) X (crtred_, OBJ) X (crtrg_, OBJ) X (crtshg_, OBJ) \
  X (DAConsistGroup_Done, INTL) X (dacsum_, XFER) X (dbegpl_, DEB) X (dbegsl_, DEB) \
  X (dbegtr_, DEB) X (dcrtrg_, DEB) X (ddelrg_, DEB) X (delamv_, OBJ) X (delarm_, OBJ) \
  X (delbg_, OBJ) X (delcg_, OBJ) X (DelDA, INTL) X (delda_, OBJ) X (delhdr_, OBJ) \
  X (delib_, OBJ) X (delig_, OBJ) X (delmvm_, OBJ) X (delobj_, OBJ) X (delps_, OBJ) \
  X (delrb_, OBJ) X (delred_, OBJ) X (delrg_, OBJ) X (delshg_, OBJ) X (dendl_, DEB) \
  X (dinsrd_, DEB) X (disarr_Done, INTL) X (DisArrRead, IO) X (DisArrWrite, IO) X (distr_, DIST) \
  X (diter_, DEB) X (dldv_, DEB) X (doacr_, SHD) X (dopl_, LOOP) X (dprstv_, DEB) \
  X (drarr_, DEB) X (dread_, DEB) X (drmbuf_, DEB) X (dskpbl_, DEB) X (dstv_, DEB) \
  X (dvm_access, IO) X (dvm_clearerr, IO) X (dvm_close, IO) X (dvm_dfread, IO) \
  X (dvm_dfwrite, IO) X (dvm_Done, SYS) X (dvm_fclose, IO) X (dvm_feof, IO) X (dvm_ferror, IO) \
  X (dvm_fflush, IO) X (dvm_fgetc, IO) X (dvm_fgetpos, IO) X (dvm_fgets, IO) X (dvm_fopen, IO) \
  X (dvm_fprintf, IO) X (dvm_fputc, IO) X (dvm_fputs, IO) X (dvm_fread, IO) X (dvm_freopen, IO) \
  X (dvm_fscanf, IO) X (dvm_fseek, IO) X (dvm_fsetpos, IO) X (dvm_fstat, IO) X (dvm_ftell, IO) \
  X (dvm_fwrite, IO) X (dvm_getc, IO) X (dvm_getchar, IO) X (dvm_gets, IO) X (dvm_gzflush, IO) \
  X (dvm_gzsetparams, IO) X (dvm_Init, SYS) X (dvm_lseek, IO) X (dvm_open, IO) \
  X (dvm_printf, IO) X (dvm_putc, IO) X (dvm_putchar, IO) X (dvm_puts, IO) X (dvm_read, IO) \
  X (dvm_remove, IO) X (dvm_rename, IO) X (dvm_rewind, IO) X (dvm_scanf, IO) X (dvm_setbuf, IO) \
  X (dvm_setvbuf, IO) X (dvm_stat, IO) X (dvm_tmpfile, IO) X (dvm_tmpnam, IO) \
  X (DVM_Trace_Finish, SYS) X (DVM_Trace_Start, SYS) X (dvm_ungetc, IO) X (dvm_vfprintf, IO) \
  X (dvm_vfscanf, IO) X (dvm_void_fprintf, IO) X (dvm_void_printf, IO) X (dvm_void_vfprintf, IO) \
  X (dvm_void_vprintf, IO) X (dvm_vprintf, IO) X (dvm_vscanf, IO) X (dvm_write, IO) \
  X (dvmcom_, SYS) X (dvmiprobe_, MSG) X (dvmrecv_, MSG) X (dvmreduce_, MSG) X (dvmsecread_, IO) \
  X (dvmsecwait_, IO) X (dvmsecwrite_, IO) X (dvmsend_, MSG) X (dvmsendrecv_, MSG) \
  X (dvmsync_, IO) X (dyn_GetLocalBlock, INTL) X (einter_, INT) X (eiof_, IO) X (elmcpy_, XFER) \
  X (endbl_, OBJ) X (endpl_, LOOP) X (enloop_, INT) X (env_Done, INTL) X (Event_dvm_exit, SYS) \
  X (Event_MeasureFinish, SYS) X (Event_MeasureStart, SYS) X (Event_rtl_GetCentralProc, SYS) \
  X (Event_rtl_GetCurrentProc, SYS) X (Event_rtl_GetIOProc, SYS) \
  X (Event_rtl_GetMasterProc, SYS) X (exfrst_, SHD) X (exlind_, REG) X (exlsiz_, REG) \
  X (genblk_, DIST) X (getam_, TASK) X (getamr_, TASK) X (getamv_, REG) X (getdas_, XFER) \
  X (getind_, REG) X (getlen_, REG) X (GetLocElmAddr, INTL) X (getps_, TASK) X (getrnk_, REG) \
  X (getsiz_, REG) X (gettar_, DIST) X (IdBufGroup_Done, INTL) X (imlast_, SHD) \
  X (inclcg_, CONS) X (incsh_, SHD) X (incshd_, SHD) X (inscg_, CONS) X (insib_, IND) \
  X (insrb_, REM) X (insred_, REG) X (inssh_, SHD) X (insshd_, SHD) X (io_Recvnowait, INTL) \
  X (io_Sendnowait, INTL) X (io_Testrequest, INTL) X (io_Waitrequest, INTL) X (lindtp_, REG) \
  X (loadbg_, REM) X (loadib_, IND) X (loadig_, IND) X (loadrb_, REM) X (locind_, REG) \
  X (locsiz_, REG) X (malign_, DIST) X (mapam_, TASK) X (mappl_, LOOP) X (mdistr_, DIST) \
  X (mps_Barrier, SYS) X (mps_Bcast, SYS) X (mrealn_, DIST) X (mredis_, DIST) \
  X (parloop_Done, INTL) X (pllind_, REG) X (plmap_, OBJ) X (psview_, TASK) X (realn_, DIST) \
  X (recvla_, SHD) X (recvsh_, SHD) X (red_Recvnowait, INTL) X (red_Sendnowait, INTL) \
  X (red_Testrequest, INTL) X (red_Waitrequest, INTL) X (RedGroup_Done, INTL) X (redis_, DIST) \
  X (RedVar_Done, INTL) X (RegBufGroup_Done, INTL) X (rlocel_, REG) X (rmkind_, REM) \
  X (rstba_, LOOP) X (rstbg_, OBJ) X (rstcg_, OBJ) X (rstrda_, CONS) X (rstrg_, OBJ) \
  X (rstshg_, OBJ) X (rsttar_, DIST) X (rtl_BroadCast, INTL) X (rtl_Recv, INTL) \
  X (rtl_RecvA, INTL) X (rtl_Recvnowait, INTL) X (rtl_Send, INTL) X (rtl_SendA, INTL) \
  X (rtl_Sendnowait, INTL) X (rtl_Testrequest, INTL) X (rtl_Waitrequest, INTL) X (runam_, TASK) \
  X (rwelm_, XFER) X (saverg_, REG) X (saverv_, REG) X (sendsa_, SHD) X (sendsh_, SHD) \
  X (setba_, LOOP) X (setelw_, DIST) X (setgrn_, DIST) X (setind_, REG) X (setpsw_, DIST) \
  X (shd_Recvnowait, INTL) X (shd_Sendnowait, INTL) X (shd_Waitrequest, INTL) X (srmem_, XFER) \
  X (StartLoadBuffer, INTL) X (stopam_, TASK) X (strtac_, CONS) X (strtcg_, CONS) \
  X (strtrd_, RED) X (strtsh_, SHD) X (troff_, SYS) X (tron_, SYS) X (tstda_, REG) \
  X (tstelm_, REG) X (tstio_, REG) X (tsynch_, MSG) X (vms_Done, INTL) X (waitac_, CONS) \
  X (waitbg_, REM) X (waitcg_, CONS) X (waitcp_, XFER) X (waitib_, IND) X (waitig_, IND) \
  X (WaitLoadBuffer, INTL) X (waitrb_, REM) X (waitrd_, RED) X (waitsh_, SHD) X (wlocel_, REG)
/* clang-format on */

#define X(name, class) PD_DVM_##name,
typedef enum
{
  PD_DVM_UNKNOWN, /* not in the table */
  PD_DVM_FUNCTIONS (X) PD_DVM_N_FUNCTIONS
} PdDvmFunction;
#undef X

/* How the text of a value is read. */
typedef enum
{
  PD_DVM_KIND_HEX,        /* 64 bits without prefix; NULL is 0 */
  PD_DVM_KIND_DEC,        /* signed 64 bits */
  PD_DVM_KIND_FLOAT,      /* as printf's %f */
  PD_DVM_KIND_STRING,     /* to a place that depends on the function */
  PD_DVM_KIND_TEXT,       /* all that is left of the record */
  PD_DVM_KIND_CHAR,       /* the one byte after '=', whatever it is */
  PD_DVM_KIND_WORD,       /* to a blank or ';' */
  PD_DVM_KIND_LIST,       /* decimal numbers to the end of line or ';' */
  PD_DVM_KIND_FLOAT_LIST, /* "1.00(1.00)" pairs, the first ones count */
} PdDvmKind;

/* X (key, kind): keys that are C identifiers. Where a function has its own
 * kind (Type of dvm_fopen is a string) pd_dvm_key_get_kind_in() knows it. */
/* clang-format off */
#define PD_DVM_KEYS(X) \
  X (AcrossPLQDim, DEC) X (AcrossType, DEC) X (AcrShadowGroupRef, HEX) \
  X (AcrShadowGroupRefPtr, HEX) X (AddrNumber, DEC) X (AMRef, HEX) X (AMRefPtr, HEX) \
  X (AMVAxisCount, DEC) X (AMVAxisDiv, DEC) X (AMViewMapRef, HEX) X (AMViewMapRefPtr, HEX) \
  X (AMViewRef, HEX) X (AMViewRefPtr, HEX) X (ArrayAxis, DEC) X (ArrayHandlePtr, HEX) \
  X (ArrayHeader, HEX) X (ArrayMapRef, HEX) X (ArrayMapRefPtr, HEX) X (ArrayType, DEC) \
  X (Axis, DEC) X (AxisArray, DEC) X (AxisCount, DEC) X (AxisWeightAddr, FLOAT) X (BasePtr, HEX) \
  X (BoundBufferRef, HEX) X (Buf, HEX) X (buf, HEX) X (Buffer, HEX) X (BufferHandlePtr, HEX) \
  X (BufferHeader, HEX) X (BufferPtr, HEX) X (Calculated, DEC) X (CentralProc, DEC) \
  X (CoeffArray, DEC) X (CondPipeLine, DEC) X (ConstArray, DEC) X (CoordArray, DEC) \
  X (CoordWeight, FLOAT_LIST) X (CopyFlagPtr, HEX) X (CopyRegim, DEC) X (Count, DEC) \
  X (count, DEC) X (CurrEnvIndex, DEC) X (DAConsistGroupRef, HEX) X (DAConsistGroupRefPtr, HEX) \
  X (DACount, DEC) X (DDim, DEC) X (DebRedGroup, HEX) X (DelBufSign, DEC) X (DelDASign, DEC) \
  X (DelRedSign, DEC) X (dest, DEC) X (DisPar, FLOAT) X (DistrParamArray, DEC) \
  X (DistrPLQDim, DEC) X (DoPL, DEC) X (DoubleSign, DEC) X (DVMCommPtr, HEX) \
  X (DVMObjCount, DEC) X (DVMStream, HEX) X (ElmAddr, HEX) X (ElmNumber, DEC) X (ElmType, DEC) \
  X (ErrPipeLine, DEC) X (ExtHdrSign, DEC) X (FileName, STRING) X (Filename, STRING) \
  X (Flag, HEX) X (flag, DEC) X (flagPtr, HEX) X (flush, DEC) X (Format, TEXT) \
  X (FromArrayHandlePtr, HEX) X (FromArrayHeader, HEX) X (FromBufferPtr, HEX) X (FromEvery, DEC) \
  X (FromIndexArray, DEC) X (FromInitIndexArray, DEC) X (FromLastIndexArray, DEC) \
  X (FromPartRepl, DEC) X (FromRepl, DEC) X (FromStepArray, DEC) X (FullShdSign, DEC) \
  X (FunctionTime, FLOAT) X (GroupNumber, DEC) X (Handle, HEX) X (HandlePtr, HEX) \
  X (HasCurrent, DEC) X (HasLocal, DEC) X (HighShdWidth, DEC) X (HiShdWidthArray, DEC) \
  X (Index, DEC) X (index, DEC) X (IndexArray, DEC) X (IndirectAccessGroupRef, HEX) \
  X (IndirectAccessGroupRefPtr, HEX) X (InInitIndexArray, DEC) X (InitDimIndex, DEC) \
  X (InitHiShdIndex, DEC) X (InitIndexArray, DEC) X (InitLowShdIndex, DEC) X (InitParam, HEX) \
  X (InLastIndexArray, DEC) X (InStepArray, DEC) X (IntWeightSign, HEX) X (IOProc, DEC) \
  X (IsLocal, DEC) X (LastDimIndex, DEC) X (LastHiShdIndex, DEC) X (LastIndexArray, DEC) \
  X (LastLowShdIndex, DEC) X (LengthArray, HEX) X (level, DEC) X (line, DEC) \
  X (LoadWeight, FLOAT) X (LoadWeightAddr, HEX) X (LocArrayHandlePtr, HEX) \
  X (LocArrayHeader, HEX) X (LocArrayPtr, HEX) X (LocElmLength, DEC) X (LocIndType, DEC) \
  X (LocIndTypePtr, DEC) X (LoopRef, HEX) X (LoopRefPtr, HEX) X (LoopVarAddrArray, HEX) \
  X (LoopVarTypeArray, HEX) X (LowHsdWidth, DEC) X (LowShdWidthArray, DEC) X (MasterProc, DEC) \
  X (MaxShdCount, DEC) X (MeanProcTime, FLOAT) X (MEHandlePtr, HEX) X (MEHeader, HEX) \
  X (MemAddr, HEX) X (MemoryCount, DEC) X (MemPtr, HEX) X (Mes, FLOAT) X (Mode, DEC) \
  X (MPI_Datatype, WORD) X (MPI_Op, WORD) X (MPS, WORD) X (MsgPartition, DEC) X (N, DEC) \
  X (NewArrayHandlePtr, HEX) X (NewArrayHeader, HEX) X (NewName, STRING) \
  X (NewShadowGroupRef, HEX) X (NewShadowGroupRefPtr, HEX) X (NewSign, DEC) X (NextIndex, DEC) \
  X (nfrag, DEC) X (nitem, DEC) X (nline, DEC) X (ObjectRef, HEX) X (ObjectRefPtr, HEX) \
  X (Offset, DEC) X (Oflag, DEC) X (OldName, STRING) X (OldShadowGroupRef, HEX) \
  X (OldShadowGroupRefPtr, HEX) X (op, DEC) X (Operand, STRING) X (OperLength, DEC) \
  X (Origin, DEC) X (OutInitIndexArray, DEC) X (OutLastIndexArray, DEC) X (OutStepArray, DEC) \
  X (Par, DEC) X (ParamCount, DEC) X (PatternRef, HEX) X (PatternRefPtr, HEX) \
  X (PipeLineAxis1, DEC) X (PipeLineAxis2, DEC) X (PipeLinePar, FLOAT) X (PipeLinePLAxis, DEC) \
  X (Pmode, DEC) X (Pos, DEC) X (ppAddr, HEX) X (PPMeasureCount, DEC) X (PPMeasureTime, FLOAT) \
  X (ProcCount, DEC) X (ProcId, DEC) X (procid, DEC) X (procnum, DEC) X (ProcNumb, DEC) \
  X (ProcNumber, DEC) X (PSRank, DEC) X (PSRef, HEX) X (PSRefPtr, HEX) X (PSSize, LIST) \
  X (PSSpaceRef, HEX) X (PSSpaceRefPtr, HEX) X (QDim, DEC) X (Rank, DEC) X (RC, DEC) X (rc, DEC) \
  X (recvbuf, HEX) X (recvcount, DEC) X (recvproc, DEC) X (recvsize, DEC) \
  X (RedArrayHandlePtr, HEX) X (RedArrayHeader, HEX) X (RedArrayLength, DEC) \
  X (RedArrayPtr, HEX) X (RedArrayType, DEC) X (RedFuncNumb, DEC) X (RedGroupRef, HEX) \
  X (RedGroupRefPtr, HEX) X (ReDistrSign, DEC) X (RedRef, HEX) X (RedRefPtr, HEX) \
  X (RegularAccessGroupRef, HEX) X (RegularAccessGroupRefPtr, HEX) X (RemArrayHandlePtr, HEX) \
  X (RemArrayHeader, HEX) X (RenewSign, DEC) X (Repl, DEC) X (ReplPLQDim, DEC) X (req, HEX) \
  X (Res, DEC) X (root, DEC) X (Run, DEC) X (RVAddr, HEX) X (RVVal, WORD) X (sendbuf, HEX) \
  X (sendcount, DEC) X (sendproc, DEC) X (sendsize, DEC) X (ServerTime, FLOAT) \
  X (ShadowGroupRef, HEX) X (ShadowGroupRefPtr, HEX) X (ShdSignArray, DEC) X (Size, DEC) \
  X (size, DEC) X (SizeArray, DEC) X (StartAddrArray, HEX) X (StaticSign, DEC) \
  X (StdPLQCount, DEC) X (StdPLQSize, DEC) X (StepArray, DEC) X (strategy, DEC) X (Stream, HEX) \
  X (String, TEXT) X (Sym, CHAR) X (SYSFILE, STRING) X (SYSLINE, DEC) X (SystemTime, FLOAT) \
  X (SystemTraceTime, FLOAT) X (tag, DEC) X (TaskTime, FLOAT) X (TaskTraceTime, FLOAT) \
  X (Time, FLOAT) X (time, FLOAT) X (TimeEqualizationCount, DEC) X (Tirecv, FLOAT) X (Tm, FLOAT) \
  X (ToArrayHandlePtr, HEX) X (ToArrayHeader, HEX) X (ToBufferPtr, HEX) X (ToEvery, DEC) \
  X (ToIndexArray, DEC) X (ToInitIndexArray, DEC) X (ToLastIndexArray, DEC) X (ToPartRepl, DEC) \
  X (ToRepl, DEC) X (ToStepArray, DEC) X (TraceTime, FLOAT) X (TraceVarAddr, HEX) \
  X (TraceVarValue, WORD) X (Twrecv, FLOAT) X (Type, DEC) X (type, DEC) X (TypeSize, DEC) \
  X (UserFile, STRING) X (UserInter, DEC) X (USRFILE, STRING) X (USRLINE, DEC) X (VarCount, DEC) \
  X (VERSION, DEC) X (VMAxis, DEC) X (VProcCount, DEC) X (VPSRank, DEC) X (VPSSize, LIST) \
  X (WeightArray, FLOAT) X (WeightNumber, DEC)

/* X (identifier, key, kind): the others. "Dim:Lower" is an array whose element n the line
 * "Dimn: Lower=" gives; "Local:Lower" likewise of lines "Local[n]: Lower=". */
#define PD_DVM_ODD_KEYS(X) \
  X (star_addr, "*addr", HEX) X (star_ArrSrc, "*ArrSrc", HEX) X (star_Handle, "*Handle", HEX) \
  X (star_Init, "*Init", DEC) X (star_Last, "*Last", DEC) X (star_Line, "*Line", DEC) \
  X (star_No, "*No", DEC) X (star_pArrLength, "*pArrLength", DEC) \
  X (star_pElemntLength, "*pElemntLength", DEC) X (star_ppAddr, "*ppAddr", HEX) \
  X (star_Rank, "*Rank", DEC) X (star_RmtBuff, "*RmtBuff", HEX) X (star_Step, "*Step", DEC) \
  X (MPI_Comm, "&MPI_Comm", HEX) X (MPI_Group, "&MPI_Group", HEX) \
  X (ALoc_Ptr0, "DArr->ArrBlock.ALoc.Ptr0", HEX) X (ALoc_Ptr, "DArr->ArrBlock.ALoc.Ptr", HEX) \
  X (DAAxis, "DArr->DAAxis", DEC) X (PLAxis, "PL->PLAxis", DEC) \
  X (AcrossQNumber, "PL->AcrossQNumber", DEC) X (Dim_Lower, "Dim:Lower", DEC) \
  X (Dim_Upper, "Dim:Upper", DEC) X (Dim_Step, "Dim:Step", DEC) \
  X (Local_Lower, "Local:Lower", DEC) X (Local_Upper, "Local:Upper", DEC) \
  X (Local_Step, "Local:Step", DEC) X (FromLocal_Lower, "FromLocal:Lower", DEC) \
  X (FromLocal_Upper, "FromLocal:Upper", DEC) X (FromLocal_Step, "FromLocal:Step", DEC) \
  X (ToLocal_Lower, "ToLocal:Lower", DEC) X (ToLocal_Upper, "ToLocal:Upper", DEC) \
  X (ToLocal_Step, "ToLocal:Step", DEC) X (LoopMap_Axis, "LoopMap:Axis", DEC) \
  X (LoopMap_TAxis, "LoopMap:TAxis", DEC) X (LoopMap_A, "LoopMap:A", DEC) \
  X (LoopMap_B, "LoopMap:B", DEC) X (AlignMap_Axis, "AlignMap:Axis", DEC) \
  X (AlignMap_TAxis, "AlignMap:TAxis", DEC) X (AlignMap_A, "AlignMap:A", DEC) \
  X (AlignMap_B, "AlignMap:B", DEC) X (DistMap_Axis, "DistMap:Axis", DEC) \
  X (DistMap_PAxis, "DistMap:PAxis", DEC)
/* clang-format on */

#define X(name, kind)        PD_DVM_KEY_##name,
#define Y(name, text, kind_) PD_DVM_KEY_##name,
typedef enum
{
  PD_DVM_KEY_UNKNOWN, /* not in the table */
  PD_DVM_KEYS (X) PD_DVM_ODD_KEYS (Y) PD_DVM_N_KEYS
} PdDvmKey;
#undef X
#undef Y

/**
 * pd_dvm_function_get_name:
 * @function: a function
 *
 * Returns: (transfer none): its name as in traces, without call_ or ret_; "?"
 *   for %PD_DVM_UNKNOWN.
 */
const char *pd_dvm_function_get_name (PdDvmFunction function);

/**
 * pd_dvm_function_get_class:
 * @function: a function
 *
 * Returns: its class; %PD_DVM_CLASS_REG for %PD_DVM_UNKNOWN.
 */
PdDvmClass pd_dvm_function_get_class (PdDvmFunction function);

/**
 * pd_dvm_function_communicates:
 * @function: a function
 *
 * Returns: whether a processor may wait for others in it.
 */
gboolean pd_dvm_function_communicates (PdDvmFunction function);

/**
 * pd_dvm_class_get_name:
 * @class_: a class
 *
 * Returns: (transfer none): "LOOP".
 */
const char *pd_dvm_class_get_name (PdDvmClass class_);

/**
 * pd_dvm_function_lookup:
 * @name: (array length=length): a name without call_ or ret_, no NUL needed
 * @length: its length in bytes
 *
 * Returns: the function, or %PD_DVM_UNKNOWN.
 */
PdDvmFunction pd_dvm_function_lookup (const char *name, gsize length);

/**
 * pd_dvm_key_get_name:
 * @key: a key
 *
 * Returns: (transfer none): its text in traces; "?" for %PD_DVM_KEY_UNKNOWN.
 */
const char *pd_dvm_key_get_name (PdDvmKey key);

/**
 * pd_dvm_key_get_kind_in:
 * @key: a key
 * @function: whose parameter it is
 * @is_ret: whether it stands in the ret_ record
 *
 * Returns: how its value is read there; decimal for %PD_DVM_KEY_UNKNOWN.
 *   The kind of AxisWeightAddr depends on DoubleSign of the same record, and is not found here.
 */
PdDvmKind pd_dvm_key_get_kind_in (PdDvmKey key, PdDvmFunction function, gboolean is_ret);

/**
 * pd_dvm_key_lookup:
 * @text: (array length=length): a key, without indexes, no NUL needed
 * @length: its length in bytes
 *
 * Returns: the key, or %PD_DVM_KEY_UNKNOWN.
 */
PdDvmKey pd_dvm_key_lookup (const char *text, gsize length);

#endif
